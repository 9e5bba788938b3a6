// Marbles on their way. They go by the field and not by the screen, so the board can be rolled under them meanwhile: that
// is why they are not left to CSS.
import { SvelteMap } from 'svelte/reactivity';
import type { Point } from './geometry';

/** Where a marble is: in the field (on a copy of the board next to where it was before), or in a tray. */
export type Spot = Point | { seat: number; rank: number };

export const inField = (spot: Spot): spot is Point => 'x' in spot;

export interface Glide {
  from: Spot;
  to: Spot;
  begun: number;
  time: number;
}

const same = (a: Spot, b: Spot) => (inField(a) ? inField(b) && a.x === b.x && a.y === b.y : !inField(b) && a.seat === b.seat && a.rank === b.rank);

export class Glides {
  /** By the marble's id. */
  readonly all = new SvelteMap<number, Glide>();
  now = $state(0);
  private frame = 0;

  /** Marbles are at these spots, or get there in so many milliseconds. */
  send(spots: ReadonlyMap<number, Spot>, time: number): void {
    const begun = performance.now();
    for (const id of this.all.keys()) if (!spots.has(id)) this.all.delete(id);
    for (const [id, to] of spots) {
      const old = this.all.get(id);
      if (old && same(old.to, to)) continue;
      this.all.set(id, { from: old?.to ?? to, to, begun, time: old ? time : 0 });
    }
    cancelAnimationFrame(this.frame);
    this.tick(begun);
  }

  /** How far it has come, 0 to 1, slower at both ends. */
  part(glide: Glide): number {
    const part = glide.time === 0 ? 1 : Math.max(0, Math.min(1, (this.now - glide.begun) / glide.time));
    return part * part * (3 - 2 * part);
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
  }

  private readonly tick = (now: number): void => {
    this.now = now;
    for (const { begun, time } of this.all.values()) {
      if (now < begun + time) return void (this.frame = requestAnimationFrame(this.tick));
    }
  };
}
