// How the rounds ended, read off the events.
import type { TableEvent } from '../../protocol/types';

export interface Round {
  /** From 1. */
  number: number;
  winner: number | null;
  /** By seat: the pieces left, what they counted, and the sum of all rounds. */
  left: string[][];
  points: number[];
  totals: number[];
}

export function roundsOf(events: readonly TableEvent[], seats: number): Round[] {
  const rounds: Round[] = [];
  for (const event of events) {
    const scores = event.effects?.filter((effect) => effect.score !== undefined) ?? [];
    if (scores.length === 0) continue;
    const before = rounds.at(-1)?.totals;
    const points = Array.from({ length: seats }, (_, seat) => scores.find((effect) => effect.score === seat)?.points ?? 0);
    rounds.push({
      number: rounds.length + 1,
      winner: event.effects?.find((effect) => effect.round !== undefined)?.round ?? null,
      left: Array.from({ length: seats }, (_, seat) => (event.shown as string[][] | undefined)?.[seat] ?? []),
      points,
      totals: points.map((more, seat) => (before?.[seat] ?? 0) + more),
    });
  }
  return rounds;
}
