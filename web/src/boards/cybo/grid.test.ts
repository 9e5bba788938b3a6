import { describe, expect, it } from 'vitest';
import type { TableEvent } from '../../protocol/types';
import { complete, fourth, lines, reachable, scoreCards, total } from './grid';

describe('the grid', () => {
  it('has the fourteen lines of the rules', () => {
    const text = lines.map((line) => line.join('-')).sort();
    const rules = '1-5-9 2-6-10 3-7-11 4-8-12 1-2-3 2-3-4 5-6-7 6-7-8 9-10-11 10-11-12 1-6-11 2-7-12 3-6-9 4-7-10'.split(' ').sort();
    expect(text).toEqual(rules);
  });
  it('knows what can still be reached', () => {
    expect(reachable([1, 8], 3, false)).toEqual([]);
    expect(reachable([1, 1], 3, false)).toEqual([]);
    expect(reachable([1, 6], 3, false)).toEqual([[1, 6, 11]]);
    expect(reachable([1, 8], 4, false).length).toBeGreaterThan(0);
    expect(reachable([5, 9], 3, true)).toEqual([]);
    expect(reachable([9, 5], 3, true)).toEqual([[1, 5, 9]]);
  });
  it('finds the fourth number of a column only', () => {
    expect(fourth([5, 6, 7])).toBe(8);
    expect(fourth([2, 3, 4])).toBe(1);
    expect(fourth([1, 5, 9])).toBeNull();
    expect(complete([7, 2, 5, 6])).toEqual([[5, 6, 7]]);
  });
});

describe('the score card', () => {
  const events: TableEvent[] = [
    { seat: 0, chance: 'roll 9' },
    { seat: 0, chance: 'roll 8', effects: [{ pass: 0 }] },
    { seat: 1, chance: 'roll 5' },
    { seat: 1, chance: 'roll 6' },
    { seat: 1, chance: 'roll 7' },
    { seat: 1, move: 'stop', effects: [{ score: 1, points: 9 }] },
  ];
  it('has a round a turn', () => {
    const cards = scoreCards(events, 2);
    expect(cards[0]).toEqual([{ rolls: [9, 8], triedAfter: null, points: 0 }]);
    expect(cards.map(total)).toEqual([0, 9]);
  });
  it('follows a take-back', () => {
    const cards = scoreCards([...events, { seat: 1, taken_back: true, moves: 1 }, { seat: 1, move: 'quad', effects: [{ again: 1 }] }], 2);
    expect(cards[1]).toEqual([{ rolls: [5, 6, 7], triedAfter: 3, points: null }]);
  });
});
