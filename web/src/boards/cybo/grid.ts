// The grid of numbers, the lines that lie in it, and the score card.
import type { TableEvent } from '../../protocol/types';
import { faceOf } from '../../table/scene.svelte';

export type Line = readonly [number, number, number];

/** Column and row of a number: 1 to 4 are the first column. */
export const cellOf = (number: number): readonly [column: number, row: number] => [Math.floor((number - 1) / 4), (number - 1) % 4];
const numberAt = (column: number, row: number) => column * 4 + row + 1;

/** Three neighbours in a row, a column or a diagonal: fourteen lines. */
export const lines: readonly Line[] = [0, 1, 2].flatMap((column) =>
  [0, 1, 2, 3].flatMap((row) =>
    ([[1, 0], [0, 1], [1, 1], [1, -1]] as const).flatMap(([dx, dy]): Line[] => {
      const inside = (steps: number) => column + dx * steps <= 2 && row + dy * steps >= 0 && row + dy * steps <= 3;
      return inside(2) ? [[numberAt(column, row), numberAt(column + dx, row + dy), numberAt(column + 2 * dx, row + 2 * dy)]] : [];
    }),
  ),
);

/** Lines that the rolls that are left can still complete; `inOrder`: only from one end to the other. */
export function reachable(rolled: readonly number[], rolls: number, inOrder: boolean): Line[] {
  return lines.filter((line) => {
    if (inOrder) return [line, [...line].reverse()].some((way) => rolled.slice(0, 3).every((number, index) => way[index] === number));
    return line.filter((number) => !rolled.includes(number)).length <= Math.max(0, rolls - rolled.length);
  });
}

/** Lines of which all three numbers are there. */
export const complete = (rolled: readonly number[]): Line[] => lines.filter((line) => line.every((number) => rolled.includes(number)));

/** The number that makes a Quad of a line in a column, or null. */
export function fourth(line: Line): number | null {
  const column = cellOf(line[0])[0];
  if (line.some((number) => cellOf(number)[0] !== column)) return null;
  return [0, 1, 2, 3].map((row) => numberAt(column, row)).find((number) => !line.includes(number)) ?? null;
}

export interface Round {
  rolls: number[];
  /** How many rolls there were when the Quad was tried; null: it was not. */
  triedAfter: number | null;
  /** null: the turn goes on. */
  points: number | null;
}

/** The rounds of each seat, from what happened. */
export function scoreCards(events: readonly TableEvent[], seats: number): Round[][] {
  const cards: Round[][] = Array.from({ length: seats }, () => []);
  const moves: (() => void)[] = [];
  for (const event of events) {
    if (event.taken_back) for (let n = 0; n < (event.moves ?? 0); n++) moves.pop()?.();
    const card = event.seat === undefined ? undefined : cards[event.seat];
    if (!card) continue;
    const face = faceOf(event.chance);
    if (face !== null) {
      if (card.length === 0 || card.at(-1)!.points !== null) card.push({ rolls: [], triedAfter: null, points: null });
      card.at(-1)!.rolls.push(face);
    }
    const round = card.at(-1);
    if (!round) continue;
    if (event.move !== undefined) {
      const before = { ...round };
      moves.push(() => Object.assign(round, before));
      if (event.move === 'quad') round.triedAfter = round.rolls.length;
    }
    for (const effect of event.effects ?? []) {
      if (effect.score !== undefined) round.points = effect.points ?? 0;
      if (effect.pass !== undefined) round.points = 0;
    }
  }
  return cards;
}

export const total = (card: readonly Round[]) => card.reduce((sum, round) => sum + (round.points ?? 0), 0);
