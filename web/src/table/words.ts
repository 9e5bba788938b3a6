// What happened, in words. Texts are made of effects: for an effect of kind `move` the key `effect.move` is looked up in the
// game's messages and then in those that all share, with the arguments who, whom, from, to, points, piece.
import type { BoardModule, Setting } from '../boards/contract';
import { hasMessage, type Argument, type Text, type Translate } from '../messages/messages.svelte';
import type { Effect, EffectKind, TableEvent, TreeNode } from '../protocol/types';
import { kindOf, seatOf, type Placed } from './pieces';
import { faceOf } from './scene.svelte';
import { walk, type Choice } from './tree';

export interface Speaker {
  module: BoardModule;
  setting: Setting;
  /** The seats that are addressed as "you". */
  mine: readonly number[];
}

export interface LogLine {
  /** Counts lines. */
  number: number;
  /** Number of the event. */
  seq: number;
  seat: number;
  text: string;
  notation: string;
}

/** The log of events whose first has number `first`. */
export function logOf(speaker: Speaker, events: readonly TableEvent[], first: number, words: Translate): LogLine[] {
  const lines: LogLine[] = [];
  events.forEach((event, index) =>
    tell(speaker, event).forEach(([key, values], part) => {
      const text = words(key, values);
      // A game may have an empty message for what need not be told.
      if (text) lines.push({ number: lines.length, seq: first + index, seat: event.seat ?? -1, text, notation: part === 0 ? (event.move ?? '') : '' });
    }),
  );
  return lines;
}

const silent = new Set(['round', 'win', 'show']);

function args(speaker: Speaker, seat: number | undefined): Record<string, Argument> {
  if (seat === undefined || seat < 0) return {};
  return { who: speaker.setting.names[seat] ?? `${seat + 1}`, you: speaker.mine.includes(seat) && speaker.mine.length === 1 };
}

function effectWords(speaker: Speaker, effect: Effect): { kind: EffectKind; values: Record<string, Argument> } | null {
  const kind = kindOf(effect);
  if (silent.has(kind) && !hasMessage(speaker.setting.game, `effect.${kind}`)) return null;
  const values = args(speaker, seatOf(effect));
  if (effect.path) {
    values.from = speaker.module.place(effect.path[0]!, speaker.setting);
    values.to = speaker.module.place(effect.path.at(-1)!, speaker.setting);
  }
  const named = (kind: string): Argument => speaker.module.piece?.(kind) ?? kind;
  if (effect.piece) values.piece = named(effect.piece);
  if (effect.becomes ?? effect.piece) values.becomes = named((effect.becomes ?? effect.piece)!);
  values.n = effect.points ?? 0;
  return { kind, values };
}

/** Lines for the log; none for what is not worth a line. */
export function tell(speaker: Speaker, event: TableEvent): Text[] {
  const own = speaker.module.tell?.(event, speaker.setting);
  if (own) return own;
  const values = args(speaker, event.seat);
  const effects = (event.effects ?? [])
    .map((effect) => effectWords(speaker, effect))
    .filter((one) => one !== null)
    .map(({ kind, values: more }): Text => [`effect.${kind}`, more]);
  const face = faceOf(event.chance);
  if (face !== null) return [['event.roll', { ...values, face }], ...effects];
  // A deal moves every piece: one line for all of them.
  if (event.chance === 'deal') return hasMessage(speaker.setting.game, 'event.deal') ? [['event.deal']] : [];
  if (event.chance !== undefined) return effects;
  if (event.move !== undefined) return effects.length > 0 ? effects : [['event.move', { ...values, move: event.move }]];
  if (event.over) return [[event.winners?.length ? `over.${event.why}` : 'over.nobody', { winners: nameList(speaker, event.winners ?? []) }]];
  for (const kind of ['sat', 'stood', 'bot_sat', 'removed', 'handed_over', 'started', 'resigned', 'paused', 'resumed', 'left', 'came',
    'out_of_time', 'taken_back', 'stand_in', 'back', 'rematch'] as const) {
    if (event[kind] !== undefined) return [[`event.${kind}`, { ...values, n: event.moves ?? 0 }]];
  }
  if (event.redrawn) return [['event.redrawn', { missing: nameList(speaker, event.missing ?? []) }]];
  if (event.begun) return [event.first === undefined ? ['event.begun'] : ['event.begun_first', args(speaker, event.first)]];
  if (event.asked) return [[`event.asked_${event.asked}`, values]];
  if (event.answered) return [[`event.answered_${event.answered}`, values]];
  return [];
}

/** What choosing does, for buttons and screen readers. */
export function label(speaker: Speaker, choice: Choice, picked: readonly string[]): Text[] {
  const own = speaker.module.label?.(choice, picked, speaker.setting);
  if (own) return [own];
  const effects = choice.effects
    .map((effect) => effectWords(speaker, effect))
    .filter((one) => one !== null)
    .map(({ kind, values }): Text => [`choice.${kind}`, values]);
  return effects.length > 0 ? effects : [['choice.plain', { name: choice.name }]];
}

/** What a whole move does. */
export function moveLabel(speaker: Speaker, tree: TreeNode, names: readonly string[]): Text[] {
  const there = walk(tree, names);
  const name = names.at(-1);
  return there && name !== undefined ? label(speaker, { name, ...there }, names.slice(0, -1)) : [];
}

function nameList(speaker: Speaker, seats: readonly number[]): string {
  return seats.map((seat) => speaker.setting.names[seat] ?? `${seat + 1}`).join(', ');
}

/** A position for those who do not see it: what stands where. */
export function describe(speaker: Speaker, pieces: readonly Placed[]): Text[] {
  const own = speaker.module.describe?.(pieces, speaker.setting);
  if (own) return own;
  const places = new Map<string, number[]>();
  for (const piece of pieces) places.set(piece.place, [...(places.get(piece.place) ?? []), piece.seat]);
  return [...places].map(([place, seats]) => ['table.there', { place: speaker.module.place(place, speaker.setting), who: nameList(speaker, seats) }]);
}
