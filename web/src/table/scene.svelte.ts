// What is to be seen of a game right now: events are shown one after the other, pieces going from space to space, dice
// falling. Whoever is in a hurry skips; whoever wants no motion sees only the ends.
import type { Effect, TableEvent } from '../protocol/types';
import { kindOf, put, taken, type Placed } from './pieces';

/** Milliseconds. A long way takes no longer than `way` in all; a sweep is to be watched. */
export const times = { step: 110, way: 700, sweep: 160, jump: 340, die: 620, pause: 160, told: 260, result: 900 };

export interface Die {
  seat: number;
  value: number;
  rolling: boolean;
}

export function faceOf(chance: string | undefined): number | null {
  const match = /^roll (\d+)$/.exec(chance ?? '');
  return match ? Number(match[1]) : null;
}

export class Scene {
  pieces = $state.raw<readonly Placed[]>([]);
  effect = $state.raw<Effect | null>(null);
  /** The event that is being shown. */
  event = $state.raw<TableEvent | null>(null);
  /** The last roll of each seat's last turn, the newest last. */
  die = $state.raw<Die | null>(null);
  /** How many events have been shown. */
  shown = $state(0);
  busy = $state(false);
  /** How long the present step takes, for transitions. */
  step = $state(0);
  /** What the last shown moves did, for marking. */
  last = $state.raw<readonly Effect[]>([]);

  private queue: (TableEvent | { set: readonly Placed[] })[] = [];
  private skipping = false;
  private wake: (() => void) | null = null;
  /** Counts calls of `set`: what was being shown before one must not go on after it. */
  private generation = 0;

  constructor(
    private readonly still: () => boolean,
    private readonly heard: (event: TableEvent, effect: Effect | null) => void = () => {},
  ) {}

  /** Shows a position at once, as the outcome of so many events. */
  set(pieces: readonly Placed[], shown: number, last: TableEvent | null = null): void {
    this.queue = [];
    this.generation++;
    this.skip();
    this.busy = false;
    this.pieces = pieces;
    this.shown = shown;
    this.last = last?.effects ?? [];
    this.effect = null;
    this.event = null;
  }

  /** Shows events after those that still wait; then the position is `pieces`. */
  play(events: readonly TableEvent[], pieces: readonly Placed[]): void {
    this.queue.push(...events, { set: pieces });
    if (!this.busy) void this.run();
  }

  /** Whatever waits or moves is at its end now. */
  skip(): void {
    this.skipping = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    const generation = this.generation;
    const current = () => generation === this.generation;
    this.busy = true;
    this.skipping = false;
    while (current() && this.queue.length > 0) {
      const next = this.queue.shift()!;
      if ('set' in next) {
        if (!this.queue.some((later) => 'set' in later) || this.pieces.length === 0) this.pieces = next.set;
      } else {
        this.event = next;
        await this.showEvent(next, current);
        if (current()) this.shown++;
      }
    }
    if (!current()) return;
    this.effect = null;
    this.event = null;
    this.busy = false;
  }

  private async showEvent(event: TableEvent, current: () => boolean): Promise<void> {
    const face = faceOf(event.chance);
    if (face !== null) {
      this.die = { seat: event.seat ?? -1, value: face, rolling: !this.still() && !this.skipping };
      this.heard(event, null);
      await this.wait(times.die);
      if (!current()) return;
      this.die = { ...this.die, rolling: false };
      await this.wait(times.pause);
    }
    if (event.move !== undefined || face !== null) this.last = event.effects ?? [];
    const effects = event.effects ?? [];
    for (const [index, effect] of effects.entries()) {
      if (!current()) return;
      // A hand that is dealt and a table that is cleared are shown at one stroke.
      const kind = kindOf(effect);
      const together = (kind === 'draw' || kind === 'put_back') && effects[index + 1]?.[kind] !== undefined;
      await this.showEffect(event, effect, together, current);
    }
  }

  private async showEffect(event: TableEvent, effect: Effect, together: boolean, current: () => boolean): Promise<void> {
    this.effect = effect;
    this.heard(event, effect);
    const path = effect.path;
    if (!path) return this.wait(effect.score !== undefined || effect.pass !== undefined ? times.result : times.told);
    const moved = taken(this.pieces, effect);
    const swept = effect.sweep !== undefined;
    this.step = swept ? times.sweep : path.length <= 2 ? times.jump : Math.min(times.step, times.way / (path.length - 1));
    if (!this.still() && !this.skipping) {
      for (const place of path.slice(1, -1)) {
        this.pieces = put(this.pieces, moved, place);
        await this.wait(this.step);
        if (!current()) return;
      }
    }
    // Not by applying the effect: what it takes has left the first place already.
    this.pieces = put(this.pieces, moved, path.at(-1)!, effect.becomes);
    if (!together) await this.wait(this.step);
  }

  private wait(milliseconds: number): Promise<void> {
    if (this.skipping || this.still()) return Promise.resolve();
    // When much waits, such as a bot's long turn, it goes faster.
    const hurry = Math.max(1, this.queue.length / 6);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds / hurry);
      this.wake = done;
    });
  }
}
