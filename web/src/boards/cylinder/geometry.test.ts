import { describe, expect, it } from 'vitest';
import type { Setting } from '../contract';
import {
  columnAt, copies, fan, fit, homeOf, homeView, inSight, inTray, layoutOf, nearest, nearPoint, placeAt, planOf, pointOf, rowAt, see, seatAt,
  touch, visible, wrap, zoneOf,
} from './geometry';

const setting = (seats: number, view = 0, options = {}): Setting => ({
  game: 'cylinder', seats, view, names: [], options: { columns: seats === 2 ? 8 : 10, green: 3, ...options },
});
const sizes = [[344, 344], [360, 430], [700, 700], [1200, 560]] as const;

describe('the field', () => {
  it('wraps', () => {
    expect(wrap(-1, 8)).toBe(7);
    expect(wrap(8, 8)).toBe(0);
    expect(nearest(0, 7.4, 8)).toBe(8);
    expect(nearest(7, 0, 8)).toBe(-1);
    expect(nearest(3, 100, 8)).toBe(99);
  });

  it('goes over the edge to the next copy of a hole', () => {
    const plan = planOf(setting(2, 1));
    expect(nearPoint(plan, pointOf(plan, '0,0')!, { x: 7, y: 8 })).toEqual({ x: 8, y: 9 });
  });

  it.each([2, 4, 6])('has every hole once, from each of %i sides', (seats) => {
    for (let view = 0; view < seats; view++) {
      const plan = planOf(setting(seats, view));
      const places = new Set<string>();
      for (let y = 0; y < plan.rows; y++) for (let x = 0; x < plan.columns; x++) places.add(placeAt(plan, x, y));
      expect(places.size).toBe(plan.rows * plan.columns);
      for (const place of places) {
        const { x, y } = pointOf(plan, place)!;
        expect(placeAt(plan, x, y)).toBe(place);
        expect(placeAt(plan, x - plan.columns, y + 3 * plan.rows)).toBe(place);
      }
    }
  });

  it('shows each seat its own playboard, its home below', () => {
    for (const seats of [2, 4, 6]) {
      for (let view = 0; view < seats; view++) {
        const plan = planOf(setting(seats, view));
        const home = homeView(plan);
        const columns = Array.from({ length: plan.playboard }, (_, i) => columnAt(plan, home.x - (plan.playboard - 1) / 2 + i));
        const first = Math.floor(view / 2) * plan.playboard;
        expect(columns.sort((a, b) => a - b)).toEqual(Array.from({ length: plan.playboard }, (_, i) => first + i));
        expect(zoneOf(plan, rowAt(plan, home.y))).toBe('goal');
        // The lowest row that is seen before the board repeats is the one beside the home.
        expect(rowAt(plan, home.y + plan.green + 1)).toBe(view % 2 === 0 ? 0 : plan.rows - 1);
        expect(seatAt(plan, first, view % 2 === 0)).toBe(view);
      }
    }
  });

  it('names zones and homes', () => {
    const plan = planOf(setting(2, 0, { green: 2 }));
    expect([0, 1, 2, 3, 4, 5, 6].map((row) => zoneOf(plan, row))).toEqual(['green', 'green', 'red', 'goal', 'red', 'green', 'green']);
    expect(homeOf('s3:home')).toBe(3);
    expect(homeOf('3,4')).toBeNull();
    expect(pointOf(plan, 's0:home')).toBeNull();
  });
});

describe('the lens', () => {
  const lens = { centre: 100, half: 80, cells: 5, bend: 0.75 };

  it('fills its part of the screen and is largest in the middle', () => {
    expect(see(lens, 0).at).toBe(100);
    expect(see(lens, 5).at).toBeCloseTo(180);
    expect(see(lens, -5).at).toBeCloseTo(20);
    expect(see(lens, 0).scale).toBeGreaterThan(see(lens, 4).scale);
    expect(see(lens, 4).scale).toBeGreaterThan(0.7 * see(lens, 0).scale);
  });

  it('finds what is under a finger', () => {
    for (const offset of [-5, -2.5, 0, 1, 4.9]) expect(touch(lens, see(lens, offset).at)).toBeCloseTo(offset);
  });

  it('knows what is in sight', () => {
    expect(visible(lens, 0.5)).toEqual([-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6]);
    expect(copies(lens, 3.5, 0, 8)).toEqual([0, 8]);
    expect(copies(lens, 3.5, 4, 8)).toEqual([4]);
    expect(copies(lens, 100, 4, 30)).toEqual([]);
    expect(inSight(lens, 0, 3)).toBe(0);
    expect(inSight(lens, 0, 9)).toBe(5);
    expect(inSight(lens, 0, -9)).toBe(-5);
    expect(inSight(lens, 0, 4, 2)).toBe(2);
  });
});

describe('the layout', () => {
  const all = [2, 4, 6].flatMap((seats) =>
    [{}, { green: 2, columns: 8 }, { green: 5, columns: 16 }].flatMap((options) => sizes.map(([width, height]) => ({ seats, options, width, height }))),
  );

  it.each(all)('fits: $seats seats, $options, $width × $height', ({ seats, options, width, height }) => {
    const plan = planOf(setting(seats, 0, options));
    const size = fit(plan, width, height);
    expect(size.width).toBeLessThanOrEqual(width);
    expect(size.height).toBeLessThanOrEqual(height);
    const layout = layoutOf(plan, size.width, size.height);
    const boxes = [layout.surface, ...layout.trays, ...(layout.overview ? [layout.overview] : [])];
    for (const box of boxes) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(size.width + 0.01);
      expect(box.y + box.height).toBeLessThanOrEqual(size.height + 0.01);
    }
    // Nothing lies over anything else.
    for (const a of boxes) {
      for (const b of boxes) {
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        if (a !== b) expect(apart).toBe(true);
      }
    }
    // A finger hits a hole in the middle, and what is out of sight has a strip to get there.
    expect(see(layout.across, 0).scale).toBeGreaterThan(24);
    expect(see(layout.down, 0).scale).toBeGreaterThan(20);
    expect(layout.overview !== null).toBe(2 * layout.across.cells < plan.columns);
    const last = inTray(layout.trays[0]!, 9);
    expect(last.x + last.radius).toBeLessThan(layout.trays[0]!.x + layout.trays[0]!.width);
  });

  it('has the own side below, and of three playboards the own one in the middle', () => {
    const { trays } = layoutOf(planOf(setting(6, 3)), 700, 700);
    expect(trays[3]!.y).toBeGreaterThan(trays[2]!.y);
    expect([1, 3, 5].sort((a, b) => trays[a]!.x - trays[b]!.x)).toEqual([1, 3, 5]);
    const turned = layoutOf(planOf(setting(6, 2)), 700, 700).trays;
    expect([0, 2, 4].sort((a, b) => turned[a]!.x - turned[b]!.x)).toEqual([4, 2, 0]);
  });

  it('keeps rows of buttons on the surface', () => {
    const surface = { x: 20, y: 50, width: 320, height: 260 };
    const right = fan(surface, { x: 330, y: 200 }, 6, 44, 40);
    expect(right).toHaveLength(6);
    expect(right.at(-1)!.x + 22).toBeLessThanOrEqual(340);
    expect(right[0]!.y).toBe(160);
    expect(fan(surface, { x: 30, y: 60 }, 2, 44, 40)[0]).toEqual({ x: 42, y: 100 });
  });
});
