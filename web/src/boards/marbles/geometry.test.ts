import { describe, expect, it } from 'vitest';
import type { Setting } from '../contract';
import { holes, pointOf } from './geometry';
import type { Recording } from '../../table/recording';
import sample from './sample.json';

const recording = sample as unknown as Recording;

const setting = (seats: number, sectors: number, spaces: number, view = 0): Setting => ({
  game: 'marbles', seats, view, names: [], options: { sectors, spaces, come_out: 'by_roll' },
});
const distance = (a: readonly [number, number], b: readonly [number, number]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const boards = [3, 4, 5, 6].flatMap((sectors) => [8, 9, 14, 16].map((spaces) => [sectors, spaces] as const));

describe.each(boards)('a board of %i arms of %i spaces', (sectors, spaces) => {
  const plan = holes(setting(sectors, sectors, spaces));
  const all = [...plan.ring, ...plan.homes.flat(), ...plan.bases];
  it('has a ring that closes, with its spaces side by side', () => {
    expect(plan.ring.length).toBe(sectors * spaces);
    const steps = plan.ring.map((point, index) => distance(point, plan.ring[(index + 1) % plan.ring.length]!));
    expect(Math.min(...steps)).toBeGreaterThan(0.99);
    expect(Math.max(...steps)).toBeLessThan(1.01);
  });
  it('has no two holes in one place', () => {
    const apart = all.flatMap((a, i) => all.slice(i + 1).map((b) => distance(a, b)));
    expect(Math.min(...apart)).toBeGreaterThan(0.6);
  });
  it('leads home from the last space before the first', () => {
    plan.comeOut.forEach(({ one }, seat) => {
      const gate = plan.ring[(one + plan.ring.length - 1) % plan.ring.length]!;
      expect(distance(gate, plan.homes[seat]![0]!)).toBeLessThan(1.01);
    });
  });
});

describe('the view', () => {
  it('has the viewer’s own arm below', () => {
    for (const view of [0, 1, 2, 3]) {
      const [x, y] = holes(setting(4, 4, 14, view)).homes[view]![0]!;
      expect(Math.abs(x)).toBeLessThan(1e-9);
      expect(y).toBeGreaterThan(0);
    }
  });
  it('has a point for every place of a game', () => {
    const plan = holes({ ...setting(recording.seats, 4, 14), options: recording.options });
    const effects = recording.steps.flatMap((step) => step.events).flatMap((event) => event.effects ?? []);
    const places = effects.flatMap((effect) => effect.path ?? []);
    expect(places.length).toBeGreaterThan(20);
    for (const place of places) expect(pointOf(plan, place), place).not.toBeNull();
    expect(pointOf(plan, 'nowhere')).toBeNull();
  });
});
