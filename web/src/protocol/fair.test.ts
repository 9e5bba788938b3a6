// The worked example of docs/fair-dice.md, read from the page itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { fullBag } from '../boards/cubed/recompute';
import { contributionHash, key, secretHash, Stream } from './fair';
import { diceOf, verify } from './verify';

const page = readFileSync(join(import.meta.dirname, '../../../docs/fair-dice.md'), 'utf8');
const line = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(page)![1]!;
const secret = line('secret');
const contributions = [line('contribution 0'), null, line('contribution 2')];
const hashes = [line('hash 0'), null, line('hash 2')];

describe('fair dice', () => {
  it('are those of the worked example', () => {
    expect(secretHash('lamo', 1, secret)).toBe(line('secret hash'));
    expect(contributionHash('lamo', 1, 0, contributions[0]!)).toBe(hashes[0]);
    expect(contributionHash('lamo', 1, 2, contributions[2]!)).toBe(hashes[2]);
    const words = key('lamo', 1, secret, contributions);
    expect(bytesToHex(words)).toBe(line('key'));
    const dice = new Stream(words, 'dice 0');
    expect(Array.from({ length: 8 }, () => dice.below(6) + 1).join(' ')).toBe(line('seat 0 rolls'));
    expect(new Stream(words, 'first').below(3)).toBe(1);
  });

  const settings = { game: 'marbles', seats: 3, first: 'drawn' };
  const record = (changes: (events: Record<string, unknown>[]) => void = () => {}) => {
    const events: Record<string, unknown>[] = [
      { created: true, settings, secret, secret_hash: line('secret hash') },
      { seat: 0, committed: hashes[0] },
      { seat: 2, committed: hashes[2] },
      { seat: 0, revealed: contributions[0] },
      { seat: 2, revealed: contributions[2] },
      { begun: true, first: 1 },
      { seat: 0, chance: 'roll 2' },
      { seat: 0, chance: 'roll 5' },
      { over: true, secret },
    ];
    changes(events);
    return [{ tessera: 'record', version: 1, match: 'lamo' }, ...events].map((event) => JSON.stringify(event)).join('\n');
  };
  const noted = { number: 1, secret_hash: line('secret hash'), hashes };

  it('are found right, and compared with what was noted', () => {
    expect(verify(record(), diceOf(6), noted)).toEqual({ checked: 2, redraws: 0, wrong: null, compared: true });
  });
  type Change = (events: Record<string, unknown>[]) => void;
  const forgeries: [what: string, event: number, change: Change][] = [
    ['chance', 8, (events) => void (events[7]!.chance = 'roll 6')],
    ['first', 6, (events) => void (events[5]!.first = 2)],
    ['contribution', 4, (events) => void (events[3]!.revealed = contributions[2])],
    ['secret', 1, (events) => void (events[0]!.secret = contributions[2])],
    ['unfinished', 8, (events) => void events.pop()],
  ];
  it.each(forgeries)('are found wrong: %s', (what, event, change) => {
    expect(verify(record(change), diceOf(6), null).wrong).toEqual({ what, event });
  });
  it('are found forged when all hashes were changed together', () => {
    expect(verify(record(), diceOf(6), { ...noted, secret_hash: hashes[0]! }).wrong?.what).toBe('noted');
  });
});

describe('the bag of Cubed', () => {
  it('has 65 pieces in their order', () => {
    const bag = fullBag();
    expect(bag.length).toBe(65);
    expect(bag.slice(0, 2)).toEqual(['BBB', 'BBC']);
    expect(bag.slice(-3)).toEqual(['RRR', 'RXX', 'RXX']);
  });
});
