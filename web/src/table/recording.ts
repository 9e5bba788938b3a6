// A game that was recorded beforehand: samples for trying a board out, and lessons.
import type { OptionValue, Piece, TableEvent, TreeNode, Turn } from '../protocol/types';
import { appliedAll, placed, type Placed } from './pieces';

export interface Step {
  events: TableEvent[];
  turn?: Turn;
  legal?: TreeNode;
}

export interface Recording {
  game: string;
  seats: number;
  options: Record<string, OptionValue>;
  start: Piece[];
  steps: Step[];
}

/** The positions after each step. */
export function positions(recording: Recording): Placed[][] {
  const all: Placed[][] = [];
  let pieces = placed(recording.start);
  for (const step of recording.steps) {
    for (const event of step.events) pieces = appliedAll(pieces, event.effects);
    all.push(pieces);
  }
  return all;
}
