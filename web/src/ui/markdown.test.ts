import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markdown } from './markdown';

const games = join(import.meta.dirname, '../../../src/games');

it('reads what rule pages use', () => {
  expect(markdown('# A *b*\n\nOne\ntwo `c`.\n\n- x\n  y\n- **z**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n    code').map((block) => block.kind)).toEqual(
    ['heading', 'paragraph', 'list', 'table', 'code'],
  );
});
it.each(readdirSync(games, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name))('leaves nothing of %s unread', (game) => {
  const blocks = markdown(readFileSync(join(games, game, 'rules.md'), 'utf8'));
  expect(blocks.length).toBeGreaterThan(10);
  for (const block of blocks) if (block.kind === 'paragraph') for (const span of block.spans) if (span.kind === 'text') expect(span.text).not.toMatch(/\*\*|`|^\|/);
});
