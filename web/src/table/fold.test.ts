// The state of a table, folded from messages that a real server sent (docs/fixtures).
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../protocol/types';
import { awaited, fold, type TableState } from './fold';
import { timeline } from './timeline';

const folder = join(import.meta.dirname, '../../../docs/fixtures');
const fixture = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Message;
const greeted = (name: string) => fold(null, fixture(name)) as TableState;

describe('fold', () => {
  it('keeps what a greeting tells', () => {
    const state = greeted('greeting_playing');
    expect(state.table.game).toBe('cyclone');
    expect(state.seats).toEqual([0]);
    expect(state.pieces.length).toBe(10);
    expect(awaited(state.turn)).toBe(0);
    expect(Object.keys(state.legal!.next!)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });
  it('forgets the legal moves when an update has none', () => {
    const state = fold(greeted('greeting_playing'), fixture('update_move'))!;
    expect(state.legal).toBeNull();
    expect(state.seq).toBe(13);
    expect(awaited(state.turn)).toBe(1);
  });
  it('moves pieces as effects say, and gives them places once only', () => {
    const before = greeted('greeting_playing');
    const state = fold(before, { seq: 11, events: [{ seat: 0, move: 'a5>a6', effects: [{ move: 0, path: ['a5', 'a6'] }] }] })!;
    expect(state.pieces.map((piece) => piece.place)).not.toContain('a5');
    expect(state.pieces.at(-1)).toMatchObject({ seat: 0, place: 'a6' });
    expect(new Set(state.pieces.map((piece) => piece.id)).size).toBe(before.pieces.length);
  });
  it('hears a line of chat once, however often it is told', () => {
    const line = (n: number) => ({ n, at: 1, by: 'ann', name: 'Ann', text: `line ${n}`, gallery: false });
    const greeted = fold(null, { ...fixture('greeting_playing'), chat: [line(1)] })!;
    const told = fold(fold(greeted, { chat: [line(1), line(2)] }), { chat: [line(2)] })!;
    expect(told.chat.map((one) => one.n)).toEqual([1, 2]);
  });

  it('knows no names but the last it was told', () => {
    const table = greeted('greeting_playing');
    expect(Object.keys(table.people).length).toBeGreaterThan(0);
    expect(fold(table, { people: {} })!.people).toEqual({});
    expect(fold(table, { ...fixture('greeting_playing'), people: {} })!.people).toEqual({});
    expect(fold(table, fixture('update_move'))!.people).toEqual(table.people);
  });
  it('adds up events and chat over a lost connection', () => {
    const first = greeted('greeting_after');
    const again = fold(first, { ...fixture('greeting_playing'), events: [], chat: [] })!;
    expect(again.events.length).toBe(first.events.length);
    expect(again.pieces.length).toBe(first.pieces.length);
  });
  it('takes every update of the fixtures', () => {
    for (const name of readdirSync(folder).filter((file) => file.startsWith('update_'))) {
      const update = fixture(name.replace('.json', ''));
      const state = fold(greeted('greeting_playing'), update)!;
      expect(state.seq, name).toBe(update.seq);
      expect(state.events.slice(-update.events!.length), name).toEqual(update.events);
    }
  });
  it('waits for a greeting', () => expect(fold(null, fixture('update_move'))).toBeNull());
});

describe('the timeline', () => {
  it('comes from the first position to the last', () => {
    const greeting = fixture('greeting_after');
    const moments = timeline(greeting.start!, greeting.events!);
    const places = (list: readonly { place: string }[]) => list.map((piece) => piece.place).sort();
    expect(places(moments.at(-1)!.pieces)).toEqual(greeting.pieces!.map(([, , place]) => place).sort());
  });
  it('leaves out what was taken back', () => {
    const moments = timeline([[0, '', 'a']], [
      { seat: 0, chance: 'roll 1' },
      { seat: 0, move: 'a', effects: [{ move: 0, path: ['a', 'b'] }] },
      { seat: 0, taken_back: true, moves: 1 },
      { seat: 0, move: 'c', effects: [{ move: 0, path: ['a', 'c'] }] },
    ]);
    expect(moments.map((moment) => moment.pieces[0]!.place)).toEqual(['a', 'a', 'c']);
  });
});
