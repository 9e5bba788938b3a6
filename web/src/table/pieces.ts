// The list of pieces, kept true with effects alone (docs/protocol.md, "Effects"). Each piece keeps an id for as long as it is
// drawn, so that a board can let it glide from place to place.
import { effectKinds, type Effect, type EffectKind, type Piece } from '../protocol/types';

export interface Placed {
  id: number;
  seat: number;
  kind: string;
  place: string;
}

export const kindOf = (effect: Effect): EffectKind => effectKinds.find((kind) => effect[kind] !== undefined)!;
export const seatOf = (effect: Effect): number => effect[kindOf(effect)]!;

/** Which pieces an effect takes along. */
export function taken(pieces: readonly Placed[], effect: Effect): Placed[] {
  const from = effect.path?.[0];
  if (from === undefined) return [];
  if (effect.sweep !== undefined) return pieces.filter((piece) => piece.place === from);
  const seat = seatOf(effect);
  const last = pieces.findLast(
    (piece) => piece.place === from && piece.kind === (effect.piece ?? '') && (piece.seat === seat || piece.seat === -1),
  );
  return last ? [last] : [];
}

/** The list with the given pieces at its end, at another place. */
export function put(pieces: readonly Placed[], moved: readonly Placed[], place: string, kind?: string): Placed[] {
  const ids = new Set(moved.map((piece) => piece.id));
  return [
    ...pieces.filter((piece) => !ids.has(piece.id)),
    ...moved.map((piece) => ({ ...piece, place, kind: kind ?? piece.kind })),
  ];
}

export function applied(pieces: readonly Placed[], effect: Effect): Placed[] {
  return effect.path ? put(pieces, taken(pieces, effect), effect.path.at(-1)!, effect.becomes) : [...pieces];
}

export function appliedAll(pieces: readonly Placed[], effects: readonly Effect[] | undefined): Placed[] {
  return (effects ?? []).reduce<Placed[]>(applied, [...pieces]);
}

/** A list as the server sends it; pieces that were drawn before keep their ids. */
export function placed(list: readonly Piece[], before: readonly Placed[] = []): Placed[] {
  const free = [...before];
  let nextId = before.reduce((most, piece) => Math.max(most, piece.id), 0) + 1;
  const claim = (fits: (piece: Placed) => boolean): number | undefined => {
    const index = free.findIndex(fits);
    return index < 0 ? undefined : free.splice(index, 1)[0]!.id;
  };
  const found = list.map(([seat, kind, place]) =>
    claim((old) => old.seat === seat && old.kind === kind && old.place === place),
  );
  return list.map(([seat, kind, place], index) => ({
    id: found[index] ?? claim((old) => old.seat === seat && (old.kind === kind || old.kind === '?')) ?? nextId++,
    seat,
    kind,
    place,
  }));
}
