// What the tree of legal choices offers, sorted by how the board shows it.
import type { Effect, TreeNode } from '../../protocol/types';
import type { Choice } from '../../table/tree';
import { parse } from './geometry';

const attacks = new Set(['hit', 'flank']);

/** A hole that the chosen marble, or one from home, can go to. */
export interface Destination {
  place: string;
  /** When a 6 is used: the numbers of steps that lead there. */
  steps: number[];
  strikes: boolean;
  wins: boolean;
}

export function destinations(choices: readonly Choice[], picked: readonly string[]): Destination[] {
  if (picked.length !== 1 || attacks.has(picked[0]!)) return [];
  return choices
    .filter((choice) => parse(choice.name))
    .map(({ name, node, effects }) => ({
      place: name,
      steps: Object.keys(node.next ?? {}).map(Number),
      strikes: effects.some((one) => one.send_home !== undefined),
      wins: effects.some((one) => one.win !== undefined),
    }));
}

/** An attack in the goal row, with the names that choose it from here. */
export interface Attack {
  /** The hole of the marble that is sent home. */
  hole: string;
  /** `up` and `down`: the marble from the row before or after it then moves in. */
  kind: 'hit' | 'stay' | 'up' | 'down';
  names: string[];
}

/** All attacks at once, whether nothing was chosen yet, the kind of attack, or the hole too. */
export function attacksOf(choices: readonly Choice[], picked: readonly string[]): Attack[] {
  const found: Attack[] = [];
  const walk = (names: readonly string[], node: TreeNode) => {
    if (node.next) return Object.entries(node.next).forEach(([name, next]) => walk([...names, name], next));
    const [kind, hole, way] = names;
    if (kind === 'hit') found.push({ hole: hole!, kind, names: names.slice(picked.length) });
    if (kind === 'flank') found.push({ hole: hole!, kind: way as Attack['kind'], names: names.slice(picked.length) });
  };
  for (const choice of choices) {
    const names = [...picked, choice.name];
    if (attacks.has(names[0]!)) walk(names, choice.node);
  }
  return found;
}

/** The ways to divide a 6, once marble and hole are chosen: how many steps the first part takes, 6 being the whole. */
export const divisions = (choices: readonly Choice[]): number[] =>
  choices.map((choice) => choice.name).filter((name) => /^\d$/.test(name)).map(Number);

/** The first way of a piece that a node or what follows it tells of. */
export function firstPath(node: TreeNode): string[] | null {
  const here = node.effects?.find((one: Effect) => one.path)?.path;
  if (here) return here;
  const next = Object.values(node.next ?? {})[0];
  return next ? firstPath(next) : null;
}
