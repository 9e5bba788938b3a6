// The client's part in the draw of fair dice: it commits and reveals by itself, and notes what was published before.
import { contribution, contributionHash } from '../protocol/fair';
import type { Command } from '../protocol/types';
import type { TableState } from './fold';

/** What this device saw before it revealed: a record with other hashes is forged. */
export interface Noted {
  number: number;
  secret_hash: string;
  hashes: (string | null)[];
}

export interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The commands that the draw asks of this device now. */
export function drawCommands(state: TableState, storage: Storage): Command[] {
  const { table, seats } = state;
  const draw = table.draw;
  if (table.stage !== 'drawing' || !draw) return [];
  const mine = (seat: number) => {
    // Kept, so that a reload between committing and revealing does not hold up the table.
    const key = `tessera.draw.${table.id}.${draw.number}.${seat}`;
    const kept = storage.getItem(key) ?? contribution();
    storage.setItem(key, kept);
    return kept;
  };
  const commits = seats
    .filter((seat) => draw.hashes[seat] === null)
    .map((seat) => ({ do: 'commit', seat, hash: contributionHash(table.id, draw.number, seat, mine(seat)) }));
  if (commits.length > 0) return commits;
  const all = table.seats.every((seat, index) => seat.person === undefined || draw.hashes[index] !== null);
  if (!all) return [];
  const reveals = seats.filter((seat) => draw.contributions[seat] === null);
  if (reveals.length > 0) {
    const noted: Noted = { number: draw.number, secret_hash: draw.secret_hash, hashes: draw.hashes };
    storage.setItem(`tessera.noted.${table.id}`, JSON.stringify(noted));
  }
  return reveals.map((seat) => ({ do: 'reveal', seat, contribution: mine(seat) }));
}

export function noted(table: string, storage: Storage): Noted | null {
  const kept = storage.getItem(`tessera.noted.${table}`);
  return kept === null ? null : (JSON.parse(kept) as Noted);
}
