import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../protocol/types';
import { toward } from './arrows';
import { choices, chosen, onlyMove } from './tree';

const to = (from: string, end: string) => ({ move: 0, path: [from, end] });
const tree: TreeNode = {
  effects: [{ pass: 1 }],
  next: {
    a: { effects: [to('a', 'b')], next: { b: {} } },
    c: { next: { d: { effects: [to('c', 'd')] }, e: { effects: [to('c', 'e')], next: { 'e:1': {}, 'e:2': {} } } } },
  },
};

describe('the tree of legal moves', () => {
  it('offers the first choices with all that is sure to follow', () => {
    expect(choices(tree, []).map((choice) => [choice.name, choice.effects.length])).toEqual([['a', 2], ['c', 1]]);
  });
  it('follows what leaves no choice', () => {
    expect(chosen(tree, [], 'a')).toEqual({ names: ['a', 'b'], complete: true });
    expect(chosen(tree, [], 'c')).toEqual({ names: ['c'], complete: false });
    expect(chosen(tree, ['c'], 'd')).toEqual({ names: ['c', 'd'], complete: true });
    expect(chosen(tree, ['c'], 'e')).toEqual({ names: ['c', 'e'], complete: false });
  });
  it('stays where it is when a name leads nowhere', () => expect(chosen(tree, ['c'], 'x')).toEqual({ names: ['c'], complete: false }));
  it('knows the only move', () => {
    expect(onlyMove(tree)).toBeNull();
    expect(onlyMove({ next: { p4: {} } })).toEqual(['p4']);
    expect(onlyMove({})).toBeNull();
  });
});

describe('arrow keys', () => {
  const points = [[0, 0], [2, 0], [0, 2], [2, 2]] as const;
  it('go to the nearest in their direction', () => {
    expect(toward(points, 0, 'ArrowRight')).toBe(1);
    expect(toward(points, 0, 'ArrowDown')).toBe(2);
    expect(toward(points, 3, 'ArrowLeft')).toBe(2);
  });
  it('begin anywhere and never get stuck', () => {
    expect(toward(points, -1, 'ArrowUp')).toBe(0);
    expect(toward(points, 0, 'ArrowUp')).toBe(3);
    expect(toward([null, null], 1, 'ArrowRight')).toBe(0);
  });
});
