import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../protocol/types';
import { choices } from '../../table/tree';
import { attacksOf, destinations, divisions, firstPath } from './offers';

const flank: TreeNode = {
  next: {
    flank: {
      next: {
        '4,2': { effects: [{ send_home: 1, path: ['4,2', 's1:home'] }], next: { stay: {}, up: { effects: [{ move: 0, path: ['3,2', '4,2'] }] }, down: {} } },
        '4,5': { next: { stay: {} } },
      },
    },
    pass: { effects: [{ pass: 0 }] },
  },
};
const six: TreeNode = {
  next: {
    '3,4': {
      next: {
        '4,4': { effects: [{ move: 0, path: ['3,4', '4,4'] }], next: { '1': { effects: [{ win: 0 }] } } },
        '2,4': { effects: [{ move: 0, path: ['3,4', '2,4'] }, { send_home: 1, path: ['2,4', 's1:home'] }], next: { '1': {}, '3': {}, '6': {} } },
      },
    },
    in: { next: { '0,3': { effects: [{ move: 0, path: ['s0:home', '0,3'] }] }, '0,4': {} } },
  },
};

describe('offers', () => {
  it('has all attacks at once, from wherever one stands in the tree', () => {
    const at = (...picked: string[]) => attacksOf(choices(flank, picked), picked).map(({ hole, kind, names }) => [hole, kind, names.join(' ')]);
    expect(at()).toEqual([['4,2', 'stay', 'flank 4,2 stay'], ['4,2', 'up', 'flank 4,2 up'], ['4,2', 'down', 'flank 4,2 down'], ['4,5', 'stay', 'flank 4,5 stay']]);
    expect(at('flank')).toHaveLength(4);
    expect(at('flank', '4,2')).toEqual([['4,2', 'stay', 'stay'], ['4,2', 'up', 'up'], ['4,2', 'down', 'down']]);
    expect(attacksOf(choices({ next: { hit: { next: { '4,1': {} } }, pass: {} } }, []), [])).toEqual([{ hole: '4,1', kind: 'hit', names: ['hit', '4,1'] }]);
    expect(attacksOf(choices(six, []), [])).toEqual([]);
  });

  it('says of each destination by how many steps, whom it strikes and whether it wins', () => {
    expect(destinations(choices(six, []), [])).toEqual([]);
    expect(destinations(choices(six, ['3,4']), ['3,4'])).toEqual([
      { place: '4,4', steps: [1], strikes: false, wins: true },
      { place: '2,4', steps: [1, 3, 6], strikes: true, wins: false },
    ]);
    expect(destinations(choices(six, ['in']), ['in']).map(({ place }) => place)).toEqual(['0,3', '0,4']);
    expect(destinations(choices(flank, ['flank']), ['flank'])).toEqual([]);
  });

  it('divides a 6', () => {
    expect(divisions(choices(six, ['3,4', '2,4']))).toEqual([1, 3, 6]);
    expect(divisions(choices(six, ['3,4']))).toEqual([]);
  });

  it('finds where what comes in comes from', () => {
    expect(firstPath(six.next!.in!)).toEqual(['s0:home', '0,3']);
    expect(firstPath({})).toBeNull();
  });
});
