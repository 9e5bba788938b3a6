import { expect, it } from 'vitest';
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
