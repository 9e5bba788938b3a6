import { expect, it } from 'vitest';
import type { TreeNode } from '../../protocol/types';
import { choices } from '../../table/tree';
import { waysOf } from './ways';

const tree: TreeNode = {
  next: {
    BCG: { next: { '1,0': { next: { '0': {}, '2': {} } }, '0,1': { next: { '1': {} } } } },
    GGG: { next: { '1,0': { next: { '0': {} } } } },
    draw: {},
    give: { next: { BXX: { next: { s1: {}, s2: {} } } } },
    keep: { next: { BCW: {}, RRR: {} } },
  },
};
const ways = (...picked: string[]) => waysOf(choices(tree, picked), picked);

it('reads where pieces fit, and turned how', () => {
  const { lay, give, keep } = ways();
  expect([...lay.keys()]).toEqual(['BCG', 'GGG']);
  expect(lay.get('BCG')!.get('1,0')).toEqual(['0', '2']);
  expect(give.get('BXX')).toEqual(['s1', 's2']);
  expect(keep).toEqual(['BCW', 'RRR']);
});

it('offers what is left when a part is chosen', () => {
  expect([...ways('BCG').lay.get('BCG')!.keys()]).toEqual(['1,0', '0,1']);
  expect(ways('BCG', '1,0').lay.get('BCG')!.get('1,0')).toEqual(['0', '2']);
  expect(ways('BCG', '1,0', '2').lay.get('BCG')!.get('1,0')).toEqual(['2']);
  expect(ways('give', 'BXX').give.get('BXX')).toEqual(['s1', 's2']);
  expect(ways('keep').keep).toEqual(['BCW', 'RRR']);
});
