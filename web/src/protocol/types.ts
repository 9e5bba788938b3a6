// What travels between this client and the server: docs/protocol.md in TypeScript.

/** What the server says as template and arguments; an argument may be such a list itself. */
export type Say = [template: string, ...args: (string | number | Say)[]];

export type OptionValue = number | boolean | string;

export interface Option {
  name: string;
  kind: 'integer' | 'boolean' | 'choice' | 'seat';
  default: OptionValue;
  help: string;
  min?: number;
  max?: number;
  choices?: string[];
}

export interface Game {
  name: string;
  title: string;
  summary: string;
  usual_seats: number;
  options: Record<string, Option[]>;
  rules: string;
}

export interface Opponent {
  name: string;
  title: string;
  line: string;
}

export interface Me {
  id: string;
  name: string;
  password: boolean;
  bot: boolean;
}

export type Pace = 'none' | { bank: number; increment: number } | { days: number };
export type Away = 'wait' | 'turn' | { bot: string };

export interface Settings {
  game: string;
  seats: number;
  options: Record<string, OptionValue>;
  listed: boolean;
  first: 'drawn' | number;
  pace: Pace;
  away: Away;
  take_backs: boolean;
  chat: boolean;
  hints: boolean;
}

export interface Seat {
  person?: string;
  device?: string;
  bot?: string;
  connected?: false;
  auto_roll?: true;
  resigned?: true;
  stand_in?: true;
}

export interface DiceCount {
  sides: number;
  faces: number[];
  chi2: number;
  p: number;
}

export interface Over {
  why: 'played' | 'resigned' | 'stopped' | 'closed';
  winners: number[];
  scores: number[];
  secret: string;
  dice: DiceCount[];
}

export interface Draw {
  number: number;
  secret_hash: string;
  hashes: (string | null)[];
  contributions: (string | null)[];
}

export interface Table {
  id: string;
  game: string;
  stage: 'gathering' | 'drawing' | 'playing' | 'over';
  host: string;
  seats: Seat[];
  settings: Settings;
  paused?: true;
  asked?: { what: 'take_back' | 'stop'; seat: number; of: number[] };
  draw?: Draw;
  due_in?: number;
  over?: Over;
  rematch?: string;
}

export type Turn = { roll: number } | { move: number } | { over: true };

export const effectKinds = [
  'move', 'send_home', 'sweep', 'finish', 'lay', 'draw', 'give', 'put_back', 'show', 'pass', 'again', 'score', 'round', 'win',
] as const;
export type EffectKind = (typeof effectKinds)[number];

/** One of the kinds has the seat as its value. */
export type Effect = { [kind in EffectKind]?: number } & {
  path?: string[];
  piece?: string;
  becomes?: string;
  points?: number;
};

/** [seat, kind, place]; seat -1: nobody's. */
export type Piece = [seat: number, kind: string, place: string];

export interface TreeNode {
  effects?: Effect[];
  next?: Record<string, TreeNode>;
}

/** Something that happened; which kind it is shows in its members. */
export interface TableEvent {
  seat?: number;
  created?: true;
  secret_hash?: string;
  sat?: string;
  stood?: true;
  bot_sat?: string;
  removed?: true;
  handed_over?: string;
  started?: true;
  committed?: string;
  revealed?: string;
  redrawn?: true;
  missing?: number[];
  begun?: true;
  first?: number;
  chance?: string;
  hands?: string[][];
  move?: string;
  shown?: unknown;
  asked?: 'take_back' | 'stop';
  answered?: 'yes' | 'no';
  taken_back?: true;
  moves?: number;
  auto_roll?: 'on' | 'off';
  ready?: true;
  resigned?: true;
  paused?: true;
  resumed?: true;
  left?: true;
  came?: true;
  out_of_time?: true;
  stand_in?: string;
  until?: 'turn' | 'back';
  back?: true;
  since?: number;
  over?: true;
  why?: Over['why'];
  winners?: number[];
  scores?: number[];
  secret?: string;
  dice?: DiceCount[];
  rematch?: string;
  effects?: Effect[];
  bot?: true;
}

export interface ChatLine {
  n: number;
  at: number;
  by: string;
  name: string;
  text: string;
  gallery: boolean;
}

/** A message of the socket: any of these members may be there, and they tell what it is. */
export interface Message {
  protocol?: number;
  server?: string;
  time?: number;
  you?: string | null;
  seq?: number;
  seats?: number[];
  code?: string;
  table?: Table;
  people?: Record<string, string>;
  turn?: Turn;
  clocks?: number[];
  legal?: TreeNode;
  pieces?: Piece[];
  /** The first position, when `events` has the beginning of the game. */
  start?: Piece[];
  events?: TableEvent[];
  chat?: ChatLine[];
  ack?: number;
  refused?: number;
  why?: string;
  error?: string;
  /** Of `why` or `error`, where it has arguments. */
  say?: Say;
  stopping?: true;
}

export interface Command {
  do: string;
  seat?: number;
  [member: string]: unknown;
}

export interface Entry {
  id: string;
  code: string;
  game: string;
  stage: 'gathering' | 'playing' | 'over';
  created: number;
  changed: number;
  awaits_you?: true;
  table: Table;
}

export interface Page {
  tables: Entry[];
  people: Record<string, string>;
  next?: string;
}

/** What the strongest opponent thinks of a decision. */
export interface Hint {
  seq: number;
  seat: number;
  /** Of winning, with the best move. */
  chance: number;
  /** All that are legal, the best first. */
  moves: { move: string; choices: string[]; chance: number }[];
}

/** What a game was decided by. Chances and shares of a win from 0 to 1; lists are by seat. */
export interface Review {
  over: boolean;
  events: {
    seat?: number;
    chance?: string;
    move?: string;
    /** Of winning, after it. */
    chances: number[];
    /** Of chance: by how much it moved them. */
    luck?: number[];
    /** Of a move: what it gave away … */
    loss?: number;
    judged?: number;
    /** … beside what the reviewer would have played. */
    best?: string;
    best_judged?: number;
  }[];
  /** start + luck + decisions + others + rest = end. */
  seats: { start: number; luck: number; decisions: number; others: number; rest: number; end: number; worst: number[] }[];
}
