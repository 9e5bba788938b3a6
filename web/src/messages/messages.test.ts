// Every text is there in every language, and none is left over.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages, translator } from './messages.svelte';

const src = join(import.meta.dirname, '..');
const codes = Object.keys(languages);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
const bare = (key: string) => key.replace(/_(you|one|other|few|many|two|zero)$/, '');
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** The sources below a folder, as one text. */
function sources(folder: string, without = /^$/): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith('.test.ts') && !without.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

const boards = readdirSync(join(src, 'boards'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(join(src, 'boards', entry.name)).includes('messages'))
  .map((entry) => entry.name);

describe.each(['', ...boards])('the messages of "%s"', (board) => {
  const folder = board ? join(src, 'boards', board, 'messages') : join(src, 'messages');
  const files = Object.fromEntries(codes.map((code) => [code, read(join(folder, `${code}.json`))]));
  const english = files.en!;
  // What the frame looks up in every game's messages by itself.
  const framed = board ? ['title', 'summary', 'effect.', 'choice.', 'option.', 'event.', 'lesson.'] : [];
  const code = board ? sources(join(src, 'boards', board)) : sources(src, /^boards.\w+.\w/);
  const prefixes = [...code.matchAll(/`([a-z][\w.]*[._])\$\{/g)].map((match) => match[1]!).concat(framed);

  it.each(codes)('are complete in %s', (language) => {
    const stems = (file: Record<string, string>) => [...new Set(Object.keys(file).map(bare))].sort();
    expect(stems(files[language]!)).toEqual(stems(english));
    const known = new Set(Object.entries(english).flatMap(([key, text]) => holes(text).map((hole) => `${bare(key)} {${hole}}`)));
    const holesHere = Object.entries(files[language]!).flatMap(([key, text]) => holes(text).map((hole) => `${bare(key)} {${hole}}`));
    expect(holesHere.filter((hole) => !known.has(hole))).toEqual([]);
  });
  it('are all used', () => {
    const unused = Object.keys(english).filter((key) => {
      const stem = bare(key);
      return !code.includes(`'${stem}'`) && !prefixes.some((prefix) => key === prefix || (/[._]$/.test(prefix) && key.startsWith(prefix)));
    });
    expect(unused).toEqual([]);
  });
  it('are there when they are asked for', () => {
    const shared = read(join(src, 'messages', 'en.json'));
    const known = new Set([...Object.keys(english), ...Object.keys(shared)].flatMap((key) => [key, bare(key)]));
    const spaces = new Set([...known].filter((key) => key.includes('.')).map((key) => key.split('.')[0]));
    const asked = [...code.matchAll(/'([a-z]+\.[\w.]*\w)'/g)].map((match) => match[1]!).filter((key) => spaces.has(key.split('.')[0]!));
    // Shared code names keys that only games have; those are checked with each game.
    const missing = asked.filter((key) => !known.has(key) && !/^(effect|choice|event|place|describe|lesson)\./.test(key));
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe('translating', () => {
  const t = translator();
  it('puts arguments in', () => expect(t('table.turn_of', { who: 'Ann' })).toBe('Ann is on move'));
  it('chooses by number', () => expect([t('lobby.free', { n: 1 }), t('lobby.free', { n: 2 })]).toEqual(['1 seat free', '2 seats free']));
  it('speaks to who is meant', () => expect(t('event.roll', { who: 'Ann', you: true, face: 4 })).toBe('You rolled 4.'));
  it('shows the key of what is not there', () => expect(t('no.such_key')).toBe('no.such_key'));
});
