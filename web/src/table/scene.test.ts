import { expect, it, vi } from 'vitest';
import type { TableEvent } from '../protocol/types';
import { placed } from './pieces';
import { Scene, times } from './scene.svelte';

const start = placed([[0, '', 'a'], [1, '', 'c']]);
const move = { seat: 0, move: 'a', effects: [{ move: 0, path: ['a', 'b', 'c'] }, { send_home: 1, path: ['c', 'base'] }] };
const places = (scene: Scene) => Object.fromEntries(scene.pieces.map((piece) => [piece.seat, piece.place]));

it('takes a piece from space to space, and what it strikes after it', async () => {
  const scene = new Scene(() => false);
  scene.set(start, 0);
  scene.play([move], placed([[0, '', 'c'], [1, '', 'base']], start));
  expect(places(scene)).toEqual({ 0: 'b', 1: 'c' });
  await new Promise((resolve) => setTimeout(resolve, times.step + times.jump + 400));
  expect(scene.shown).toBe(1);
  expect(scene.busy).toBe(false);
  expect(places(scene)).toEqual({ 0: 'c', 1: 'base' });
});

it('shows only the end to who wants no motion, in the same frame', async () => {
  const scene = new Scene(() => true);
  scene.set(start, 0);
  scene.play([move, { seat: 1, chance: 'roll 4' }], placed([[0, '', 'c'], [1, '', 'base']], start));
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(places(scene)).toEqual({ 0: 'c', 1: 'base' });
  expect(scene.die).toEqual({ seat: 1, value: 4, rolling: false });
});

it('lets a new position end what was being shown', async () => {
  const scene = new Scene(() => false);
  scene.set(start, 0);
  scene.play([move], start);
  scene.set(placed([[0, '', 'z']]), 9);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(places(scene)).toEqual({ 0: 'z' });
  expect(scene.shown).toBe(9);
});

it('takes pieces space by space to the end of each effect before it shows the next', async () => {
  vi.useFakeTimers();
  try {
    const scene = new Scene(() => false);
    const event: TableEvent = { seat: 0, move: 'a6>a7', effects: [{ sweep: 0, path: ['a7', 'a6', 'a5', 'a4'] }, { sweep: 0, path: ['a4', 'a3', 'a2', 'a1'] }] };
    scene.set(placed([[0, '', 'a4'], [1, '', 'a7'], [0, '', 'a7']]), 0);
    scene.play([event], []);
    const seen: string[] = [];
    for (let step = 0; step < 6; step++) {
      seen.push(scene.pieces.map((piece) => piece.place).join(' '));
      await vi.advanceTimersByTimeAsync(times.sweep);
    }
    expect(seen).toEqual(['a4 a6 a6', 'a4 a5 a5', 'a4 a4 a4', 'a3 a3 a3', 'a2 a2 a2', 'a1 a1 a1']);
  } finally {
    vi.useRealTimers();
  }
});
