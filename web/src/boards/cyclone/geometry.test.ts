import { describe, expect, it } from 'vitest';
import { cube, curve, levelHeight, nameOf, parsePlace, planOf, pointOf, slotOf, wayOf, type Point } from './geometry';

const distance = ([x, y]: Point, [u, v]: Point) => Math.hypot(x - u, y - v);
const boards = [2, 3, 4].flatMap((seats) => [6, 8, 12].map((arm) => ({ seats, arm })));

describe.each(boards)('a board of $seats arms of $arm', ({ seats, arm }) => {
  const plan = planOf({ seats, view: 0, options: { arm } });
  const spaces = plan.spaces.flatMap((all) => all.slice(1));

  it('has its spaces about one apart along an arm, and nowhere closer', () => {
    expect(spaces).toHaveLength(seats * arm);
    for (const all of plan.spaces) {
      for (let space = 2; space <= arm; space++) expect(distance(all[space]!, all[space - 1]!)).toBeCloseTo(1, 1);
    }
    spaces.forEach((one, index) => spaces.slice(index + 1).forEach((other) => expect(distance(one, other)).toBeGreaterThan(0.9)));
  });

  it('has the innermost spaces all round the middle, each as near as the others', () => {
    for (const all of plan.spaces) expect(Math.hypot(...all[arm]!)).toBeCloseTo(Math.hypot(...plan.spaces[0]![arm]!), 6);
  });

  it('has bases that touch no space and no other base', () => {
    plan.trays.forEach((tray, index) => {
      const apart = ([x, y]: Point, width: number, height: number) =>
        Math.abs(x - tray.centre[0]) > (tray.width + width) / 2 || Math.abs(y - tray.centre[1]) > (tray.height + height) / 2;
      for (const space of spaces) expect(apart(space, 0.8, 0.8)).toBe(true);
      for (const other of plan.trays.slice(index + 1)) expect(apart(other.centre, other.width, other.height)).toBe(true);
    });
  });

  it('shows everything, also all cubes of all seats in one base', () => {
    const { x, y, width, height } = plan.box;
    const inside = ([u, v]: Point) => u > x && u < x + width && v > y && v < y + height;
    expect(spaces.every(inside)).toBe(true);
    plan.trays.forEach((tray, base) => {
      for (let seat = 0; seat < seats; seat++) {
        for (let index = 0; index < 5; index++) {
          const [u, v] = slotOf(plan, base, seat, index, 5);
          expect(Math.abs(u - tray.centre[0])).toBeLessThan(tray.width / 2);
          expect(Math.abs(v - tray.centre[1])).toBeLessThan(tray.height / 2);
        }
      }
    });
  });

  it('has the base of whoever looks at the same point, below the middle', () => {
    for (let view = 0; view < seats; view++) {
      const [x, y] = pointOf(planOf({ seats, view, options: { arm } }), nameOf(view, 0))!;
      expect([x, y]).toEqual([expect.closeTo(plan.spaces[0]![0]![0], 6), expect.closeTo(plan.spaces[0]![0]![1], 6)]);
      expect(y).toBeGreaterThan(0);
    }
  });
});

describe('places', () => {
  const plan = planOf({ seats: 3, view: 0, options: { arm: 8 } });

  it('are read and written', () => {
    expect(parsePlace('c11')).toEqual({ arm: 2, space: 11 });
    expect(nameOf(2, 11)).toBe('c11');
    expect(parsePlace('pass')).toBeNull();
    expect(pointOf(plan, 'd1')).toBeNull();
    expect(pointOf(plan, 'a9')).toBeNull();
  });

  it('are joined along an arm, or by way of the middle', () => {
    expect(wayOf(plan, 'a7', 'a4')).toEqual(['a7', 'a6', 'a5', 'a4']);
    expect(wayOf(plan, 'b7', 'a8')).toEqual(['b7', 'b8', 'a8']);
    expect(wayOf(plan, 'a8', 'c8')).toEqual(['a8', 'c8']);
  });
});

describe('towers', () => {
  it('show every cube, and grow no higher than four whole cubes', () => {
    expect(levelHeight(2)).toBe(cube.front);
    for (let cubes = 4; cubes <= 20; cubes++) {
      expect(levelHeight(cubes)).toBeGreaterThan(0.05);
      expect(levelHeight(cubes) * cubes).toBeLessThan(cube.front * 4);
      expect(levelHeight(cubes)).toBeLessThan(levelHeight(cubes - 1));
    }
  });
});

describe('a curve', () => {
  it('begins and ends at its ends', () => {
    expect(curve([[0, 0], [1, 0]])).toBe('M0.000 0.000L1.000 0.000');
    for (const count of [3, 4, 9]) {
      const path = curve(Array.from({ length: count }, (_, index): Point => [index, 1]));
      expect(path).toMatch(/^M0\.000 1\.000/);
      expect(path.endsWith(`${(count - 1).toFixed(3)} 1.000`)).toBe(true);
    }
  });
});
