import { expect, it } from 'vitest';
import { roundsOf } from './score';

it('adds up what was left in each round', () => {
  const rounds = roundsOf(
    [
      { seat: 0, move: 'draw' },
      { seat: 0, move: 'pass', shown: [['BXX'], []], effects: [{ pass: 0 }, { score: 0, points: 5 }, { score: 1 }, { round: 1 }] },
      { chance: 'deal' },
      { seat: 1, move: 'pass', shown: [[], ['BCW', 'BXX']], effects: [{ score: 0 }, { score: 1, points: 15 }, { round: 0 }, { win: 0 }] },
    ],
    2,
  );
  expect(rounds.map((round) => round.winner)).toEqual([1, 0]);
  expect(rounds.map((round) => round.totals)).toEqual([[5, 0], [5, 15]]);
  expect(rounds[1]!.left).toEqual([[], ['BCW', 'BXX']]);
});
