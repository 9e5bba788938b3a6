// A whole game as moments to go back and forth in. What was taken back is left out.
import type { Piece, TableEvent } from '../protocol/types';
import { appliedAll, placed, type Placed } from './pieces';

export interface Moment {
  /** null: the beginning. */
  event: TableEvent | null;
  pieces: Placed[];
}

export function timeline(start: readonly Piece[], events: readonly TableEvent[]): Moment[] {
  const moments: Moment[] = [{ event: null, pieces: placed(start) }];
  for (const event of events) {
    if (event.taken_back) {
      // A take-back never goes past a die: its moves are the last moments.
      moments.length -= Math.min(event.moves ?? 0, moments.length - 1);
    } else if (event.chance !== undefined || event.move !== undefined) {
      moments.push({ event, pieces: appliedAll(moments.at(-1)!.pieces, event.effects) });
    }
  }
  return moments;
}
