// What the view is on. It follows the finger, runs on when it is let go, and comes to rest on a whole number of holes.
import type { Point } from './geometry';

/** Holes a millisecond below which it does not run on. */
const slow = 0.0012;
/** What is left of the speed after a millisecond. */
const friction = 0.9965;
const settleTime = 260;

export class Roller {
  x = $state(0);
  y = $state(0);
  /** A finger holds it, or it rolls. */
  moving = $state(false);

  private speed: Point = { x: 0, y: 0 };
  private movedAt = 0;
  private frame = 0;

  /** `grid`: a point on which the view may rest; with it, each one that is whole holes away. */
  constructor(
    private readonly grid: () => Point,
    private readonly still: () => boolean,
  ) {}

  set(to: Point): void {
    this.stop();
    this.moving = false;
    this.x = to.x;
    this.y = to.y;
  }

  /** Where it would rest if it stopped near a point. */
  resting(at: Point): Point {
    const grid = this.grid();
    return { x: grid.x + Math.round(at.x - grid.x), y: grid.y + Math.round(at.y - grid.y) };
  }

  /** Rolls there by the straight way. */
  to(goal: Point, time = settleTime): void {
    this.stop();
    const from = { x: this.x, y: this.y };
    if (this.still() || time === 0) return this.set(goal);
    if (from.x === goal.x && from.y === goal.y) return void (this.moving = false);
    this.moving = true;
    const begun = performance.now();
    const go = (now: number) => {
      const part = Math.max(0, Math.min(1, (now - begun) / time));
      const eased = 1 - (1 - part) ** 3;
      this.x = from.x + (goal.x - from.x) * eased;
      this.y = from.y + (goal.y - from.y) * eased;
      if (part < 1) this.frame = requestAnimationFrame(go);
      else this.moving = false;
    };
    this.frame = requestAnimationFrame(go);
  }

  /** A finger holds it. */
  grab(): void {
    this.stop();
    this.movedAt = performance.now();
  }

  /** The finger has drawn it there. */
  drag(to: Point): void {
    this.moving = true;
    const now = performance.now();
    const time = Math.max(1, now - this.movedAt);
    // Mostly the newest speed, and a little of those before: fingers tremble as they let go.
    const mix = (old: number, way: number) => old * 0.3 + (way / time) * 0.7;
    this.speed = { x: mix(this.speed.x, to.x - this.x), y: mix(this.speed.y, to.y - this.y) };
    this.movedAt = now;
    this.x = to.x;
    this.y = to.y;
  }

  /** The finger lets go: it runs on and comes to rest. Says where that will be. */
  release(): Point {
    let { x, y } = this.speed;
    if (performance.now() - this.movedAt > 80 || this.still() || Math.hypot(x, y) < slow) [x, y] = [0, 0];
    // A speed v that decays by the factor f each millisecond goes v / -ln f in all.
    const way = -1 / Math.log(friction);
    const end = this.resting({ x: this.x + x * way, y: this.y + y * way });
    this.to(end, x === 0 && y === 0 ? settleTime : Math.min(1400, 420 + 260 * Math.hypot(end.x - this.x, end.y - this.y) ** 0.5));
    return end;
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.speed = { x: 0, y: 0 };
  }
}
