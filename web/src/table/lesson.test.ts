// Every lesson can be played to its end, and says something.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { games } from '../../tests/games';
import { only } from './lesson';
import type { Recording } from './recording';

const boards = join(import.meta.dirname, '../boards');
/** Every game of the engine has a board and a lesson. */
const engine = join(import.meta.dirname, '../../../src/games');
const all = readdirSync(engine).filter((name) => existsSync(join(engine, name, 'rules.md')));

it('knows the games', () => expect(games.map(({ game }) => game)).toEqual(all));

describe.each(all)('the lesson of %s', (game) => {
  const folder = join(boards, game);
  const lesson = JSON.parse(readFileSync(join(folder, 'lesson.json'), 'utf8')) as Recording;
  it('leads from each step to the next', () => {
    lesson.steps.forEach((step, index) => {
      const next = lesson.steps[index + 1]?.events[0];
      if (step.legal && next) expect(only(step.legal, next), `step ${index}`).not.toBeNull();
    });
  });
  it('has its captions at steps that there are', () => {
    const messages = JSON.parse(readFileSync(join(folder, 'messages/en.json'), 'utf8')) as Record<string, string>;
    const captions = Object.keys(messages).filter((key) => key.startsWith('lesson.')).map((key) => Number(key.slice(7)));
    expect(captions).toContain(0);
    expect(captions).toContain(lesson.steps.length - 1);
    for (const caption of captions) expect(caption).toBeLessThan(lesson.steps.length);
  });
});

it('leaves of a tree only the move that was made', () => {
  const move = (from: string, to: string) => ({ effects: [{ move: 0, path: [from, to] }] });
  const tree = { next: { a1: { next: { a2: move('a1', 'a2'), a3: move('a1', 'a3') } }, a5: { next: { a6: move('a5', 'a6') } } } };
  const made = { seat: 0, move: 'a1>a3', effects: [{ move: 0, path: ['a1', 'a2', 'a3'] }] };
  expect(only(tree, made)).toEqual({ next: { a1: { next: { a3: move('a1', 'a3') } } } });
  expect(only(tree, { seat: 0, move: 'a9', effects: [{ move: 0, path: ['a8', 'a9'] }] })).toBeNull();
});
