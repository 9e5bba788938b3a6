// Recomputes every die of a record from what was published: docs/fair-dice.md and docs/randomness.md once more.
import { contributionHash, key, secretHash, Stream } from './fair';
import type { Settings, TableEvent } from './types';

/** A number from 0 to count-1 from a named stream. */
export type Numbers = (stream: string, count: number) => number;

/** What a chance event must have been; `moves` were made since the one before. Games without dice bring their own. */
export type Recompute = (event: TableEvent, moves: readonly string[]) => Pick<TableEvent, 'chance' | 'hands'> & { out?: string[] };
export type MakeRecompute = (numbers: Numbers, settings: Settings) => Recompute;

export type RecordEvent = TableEvent & { settings?: Settings; secret?: string; out?: string[] };

/** What this device noted before it revealed. */
export interface Published {
  number: number;
  secret_hash: string;
  hashes: (string | null)[];
}

export interface Verdict {
  /** Chance events that were recomputed and fit. */
  checked: number;
  /** How often the draw had to begin anew. */
  redraws: number;
  /** null: everything fits. Else what does not, and number of the event. */
  wrong: { what: 'secret' | 'contribution' | 'first' | 'chance' | 'noted' | 'unfinished'; event: number } | null;
  /** Whether hashes were compared with those that this device noted. */
  compared: boolean;
}

export const diceOf =
  (sides: number): MakeRecompute =>
  (numbers) =>
  (event) => ({ chance: `roll ${numbers(`dice ${event.seat}`, sides) + 1}` });

export function verify(record: string, make: MakeRecompute, noted: Published | null): Verdict {
  const [header, ...lines] = record.trim().split('\n');
  const match = (JSON.parse(header!) as { match: string }).match;
  const verdict: Verdict = { checked: 0, redraws: 0, wrong: null, compared: false };

  let settings: Settings | undefined;
  let draw = { number: 0, secret: '', secretHash: '', hashes: [] as (string | null)[], contributions: [] as (string | null)[] };
  let recompute: Recompute | undefined;
  let moves: string[] = [];
  let ended = false;

  const begin = (event: RecordEvent) => {
    const seats = settings?.seats ?? 0;
    const empty = () => Array.from({ length: seats }, () => null);
    draw = { number: draw.number + 1, secret: event.secret!, secretHash: event.secret_hash!, hashes: empty(), contributions: empty() };
    return secretHash(match, draw.number, draw.secret) === draw.secretHash ? null : ('secret' as const);
  };

  /** What is wrong with an event, or null. */
  const check = (event: RecordEvent): NonNullable<Verdict['wrong']>['what'] | null => {
    if (event.created) {
      settings = event.settings;
      return begin(event);
    }
    if (event.redrawn) {
      verdict.redraws++;
      return begin(event);
    }
    if (event.committed !== undefined) draw.hashes[event.seat!] = event.committed;
    if (event.revealed !== undefined) {
      draw.contributions[event.seat!] = event.revealed;
      if (contributionHash(match, draw.number, event.seat!, event.revealed) !== draw.hashes[event.seat!]) return 'contribution';
    }
    if (event.begun) {
      if (noted && noted.number === draw.number) {
        verdict.compared = true;
        if (noted.secret_hash !== draw.secretHash || noted.hashes.some((hash, seat) => hash !== draw.hashes[seat])) return 'noted';
      }
      const words = key(match, draw.number, draw.secret, draw.contributions);
      const streams = new Map<string, Stream>();
      const numbers: Numbers = (name, count) => {
        if (!streams.has(name)) streams.set(name, new Stream(words, name));
        return streams.get(name)!.below(count);
      };
      recompute = make(numbers, settings!);
      if (settings!.first === 'drawn' && event.first !== numbers('first', settings!.seats)) return 'first';
    }
    if (event.chance !== undefined) {
      const expected = recompute?.(event, moves);
      const found = { chance: event.chance, hands: event.hands, out: event.out };
      moves = [];
      if (!expected || (['chance', 'hands', 'out'] as const).some((name) => JSON.stringify(found[name]) !== JSON.stringify(expected[name]))) return 'chance';
      verdict.checked++;
    }
    if (event.move !== undefined) moves.push(event.move);
    if (event.taken_back) moves.splice(-(event.moves ?? 0));
    if (event.over) {
      ended = true;
      if (event.secret !== draw.secret) return 'secret';
    }
    return null;
  };

  for (const [index, line] of lines.entries()) {
    const what = check(JSON.parse(line) as RecordEvent);
    if (what) return { ...verdict, wrong: { what, event: index + 1 } };
  }
  return ended ? verdict : { ...verdict, wrong: { what: 'unfinished', event: lines.length } };
}
