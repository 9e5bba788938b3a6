// What a board is. A folder `boards/<game>/` has
//   board.ts            default export: a BoardModule
//   Board.svelte        draws (BoardProps): geometry and drawing, no rules
//   Picture.svelte      a small drawing for the lobby, viewBox 0 0 120 90, no props
//   messages/en.json, messages/de.json
//   recompute.ts        only for games without dice: what each chance event must have been (protocol/verify.ts)
//   sample.json         a recorded game, for trying the board out and for tests (scripts/record.mjs)
// and is found by its name: nothing else in the client names a game.
import type { Component } from 'svelte';
import type { Effect, OptionValue, TableEvent, Turn } from '../protocol/types';
import type { Text, Translate } from '../messages/messages.svelte';
import type { Placed } from '../table/pieces';
import type { Die } from '../table/scene.svelte';
import type { Choice } from '../table/tree';

/** What does not change during a game (but for `view`). */
export interface Setting {
  game: string;
  seats: number;
  options: Record<string, OptionValue>;
  /** The seat from whose side the board is drawn. */
  view: number;
  /** Names by seat. */
  names: string[];
}

/** What the frame wants to be seen at a place. Boards draw it with the classes of ui/board.css. */
export interface Mark {
  /** It can be chosen by tapping here. */
  glow?: boolean;
  /** The keyboard or the pointer is at it. */
  focus?: boolean;
  /** It was chosen; more is to be chosen. */
  picked?: boolean;
  /** The focused or picked choice ends here … */
  land?: boolean;
  /** … and strikes what is here. */
  hit?: boolean;
  /** The last move began or ended here. */
  last?: boolean;
}

export type Marks = Readonly<Record<string, Mark | undefined>>;

export interface BoardProps {
  setting: Setting;
  /** As they are to be seen now, in the midst of an animation too. Key by `id`, and let transform glide. */
  pieces: readonly Placed[];
  /** By place. */
  marks: Marks;
  /** What can be chosen next, if anything. */
  choices: readonly Choice[];
  /** The names chosen so far. */
  picked: readonly string[];
  /** What is being animated. */
  showing: Effect | null;
  /** All that has happened and been shown, for score cards. */
  events: readonly TableEvent[];
  turn: Turn | null;
  /** The last roll. The page shows it beside the board; a board may use it too. */
  die: Die | null;
  /** The choice at which the pointer or the keyboard is. */
  focused: Choice | null;
  t: Translate;
  /** Chooses by name, or the whole rest of a move: only for what data-spot cannot say. */
  pick: (names: string[]) => void;
}

export interface BoardModule {
  Board: Component<BoardProps>;
  /** Sides of the die; 0: none. */
  die: 0 | 6 | 12;
  /** The board itself asks before a move is sent: the setting "confirm moves" does not ask once more. */
  confirms?: boolean;
  /** Width by height that suits the board best; 1 when left out. */
  aspect?(setting: Setting): number;
  /** The place at which a choice is tapped; null: it becomes a button below the board. */
  spot(choice: Choice, picked: readonly string[], setting: Setting): string | null;
  /** Where a place is, for arrow keys; null: they go through the choices in their order. */
  point(place: string, setting: Setting): readonly [number, number] | null;
  /** A place in words. */
  place(place: string, setting: Setting): Text;
  /** A piece in words, as effects name it; its kind when left out. */
  piece?(kind: string): Text;
  /** The label of a choice, where the words made of its effects will not do. */
  label?(choice: Choice, picked: readonly string[], setting: Setting): Text | null;
  /** What happened, where the words made of its effects will not do. */
  tell?(event: TableEvent, setting: Setting): Text[] | null;
  /** The position for those who do not see it; else each place is listed with what is there. */
  describe?(pieces: readonly Placed[], setting: Setting): Text[];
  /** Why nothing can be done at a place, where there is more to say than that. */
  why?(place: string, pieces: readonly Placed[], setting: Setting): Text | null;
}
