// What is known of a table: the fold of the server's messages. Plain functions over plain data.
import type { ChatLine, Message, Piece, Table, TableEvent, TreeNode, Turn } from '../protocol/types';
import { appliedAll, placed, type Placed } from './pieces';

export interface TableState {
  /** Number of the last event. */
  seq: number;
  you: string | null;
  /** The seats that this device plays. */
  seats: number[];
  code: string;
  table: Table;
  people: Record<string, string>;
  turn: Turn | null;
  clocks: number[] | null;
  legal: TreeNode | null;
  pieces: Placed[];
  /** The first position, when the greeting told it. */
  start: Piece[] | null;
  /** Everything that happened; the last has number `seq`. */
  events: TableEvent[];
  chat: ChatLine[];
}

/** The state after a message, or null when it is no greeting and there is nothing yet to put it over. */
export function fold(state: TableState | null, message: Message): TableState | null {
  if (message.protocol !== undefined) return greeted(state, message);
  if (!state) return null;
  let next = state;
  if (message.chat) next = { ...next, chat: heard(next.chat, message.chat) };
  if (message.people) next = { ...next, people: message.people };
  if (!message.events) return next;
  const events = message.events;
  return {
    ...next,
    seq: message.seq ?? next.seq,
    seats: message.seats ?? next.seats,
    table: message.table ?? next.table,
    turn: message.turn ?? next.turn,
    clocks: message.clocks ?? next.clocks,
    legal: message.legal ?? null,
    pieces: after(next.pieces, events, message.pieces),
    events: [...next.events, ...events],
  };
}

function greeted(state: TableState | null, message: Message): TableState {
  const events = message.events ?? [];
  return {
    seq: message.seq!,
    you: message.you ?? null,
    seats: message.seats ?? [],
    code: message.code ?? '',
    table: message.table!,
    people: message.people ?? {},
    turn: message.turn ?? null,
    clocks: message.clocks ?? null,
    legal: message.legal ?? null,
    pieces: after(state?.pieces ?? [], events, message.pieces),
    start: message.start ?? state?.start ?? null,
    events: [...(state?.events ?? []), ...events],
    chat: heard(state?.chat ?? [], message.chat ?? []),
  };
}

/** Of several servers one may tell a line that another has told. */
function heard(chat: ChatLine[], more: ChatLine[]): ChatLine[] {
  const last = chat.at(-1)?.n ?? 0;
  return [...chat, ...more.filter((line) => line.n > last)];
}

function after(pieces: Placed[], events: TableEvent[], given: Piece[] | undefined): Placed[] {
  // Before the first pieces there is nothing that effects could move.
  const moved = pieces.length === 0 ? [] : events.reduce((list, event) => appliedAll(list, event.effects), pieces);
  return given ? placed(given, moved) : moved;
}

/** The seat that the game waits for, or null. */
export function awaited(turn: Turn | null): number | null {
  if (!turn || 'over' in turn) return null;
  return 'roll' in turn ? turn.roll : turn.move;
}
