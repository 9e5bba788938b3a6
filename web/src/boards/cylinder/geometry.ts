// The board has no edges, so it is drawn as an endless field of which one sees a part, through a lens that makes it bulge.
//   place    `r,c` as the server names a hole, `s2:home`
//   field    x to the right and y downwards, one unit from hole to hole, any whole numbers: it repeats for ever
//   screen   pixels
import type { Setting } from '../contract';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export type Zone = 'green' | 'red' | 'goal';

/** How large the board is, and from which side it is seen. */
export interface Plan {
  rows: number;
  columns: number;
  /** Columns of one playboard. */
  playboard: number;
  playboards: number;
  green: number;
  /** Seats with an even number live above row 0: they see the board turned by half a turn, their home below. */
  turned: boolean;
  view: number;
}

export function planOf(setting: Setting): Plan {
  const green = Number(setting.options.green ?? 3);
  const playboard = Number(setting.options.columns ?? 8);
  const playboards = Math.max(1, setting.seats / 2);
  return {
    rows: 2 * green + 3, columns: playboard * playboards, playboard, playboards, green, turned: setting.view % 2 === 0, view: setting.view,
  };
}

export const wrap = (value: number, period: number): number => ((value % period) + period) % period;

/** Of all the values that repeat with the period, the one next to `near`. */
export const nearest = (value: number, near: number, period: number): number => value + Math.round((near - value) / period) * period;

// ── Places and the field ──

export function parse(place: string): { row: number; column: number } | null {
  const match = /^(\d+),(\d+)$/.exec(place);
  return match ? { row: Number(match[1]), column: Number(match[2]) } : null;
}

/** The seat whose home a place is, or null. */
export function homeOf(place: string): number | null {
  const match = /^s(\d+):home$/.exec(place);
  return match ? Number(match[1]) : null;
}

export function zoneOf(plan: Plan, row: number): Zone {
  const off = Math.abs(row - (plan.green + 1));
  return off === 0 ? 'goal' : off === 1 ? 'red' : 'green';
}

/** Where a hole is in the field; it is there again each `columns` to the side and each `rows` up and down. */
export function pointOf(plan: Plan, place: string): Point | null {
  const hole = parse(place);
  if (!hole) return null;
  const { row, column } = hole;
  return plan.turned ? { x: plan.columns - 1 - column, y: plan.rows - 1 - row } : { x: column, y: row };
}

export const rowAt = (plan: Plan, y: number): number => wrap(plan.turned ? plan.rows - 1 - y : y, plan.rows);
export const columnAt = (plan: Plan, x: number): number => wrap(plan.turned ? plan.columns - 1 - x : x, plan.columns);
export const placeAt = (plan: Plan, x: number, y: number): string => `${rowAt(plan, y)},${columnAt(plan, x)}`;

/** The same point of the board, as near to another as it can be. */
export const nearPoint = (plan: Plan, point: Point, near: Point): Point => ({
  x: nearest(point.x, near.x, plan.columns),
  y: nearest(point.y, near.y, plan.rows),
});

/** What a seat looks at when it has not rolled the board: its own playboard, the goal row in the middle. */
export function homeView(plan: Plan): Point {
  const first = Math.floor(plan.view / 2) * plan.playboard;
  const middle = first + (plan.playboard - 1) / 2;
  return { x: plan.turned ? plan.columns - 1 - middle : middle, y: plan.green + 1 };
}

/** The seat whose marbles come in at the far side (`above`) or near side of the seam, in this column. */
export function seatAt(plan: Plan, column: number, above: boolean): number {
  return 2 * Math.floor(column / plan.playboard) + (above ? 0 : 1);
}

// ── The lens ──

/** One direction of the view: `cells` holes to either side of `centre` fill `half` pixels. */
export interface Lens {
  centre: number;
  half: number;
  cells: number;
  /** How far round the outermost holes are, as an angle: 0 would be flat. */
  bend: number;
}

/** Where something so many holes from the middle is seen, and how large a hole is there. */
export function see(lens: Lens, offset: number): { at: number; scale: number } {
  const limit = Math.PI / 2;
  const angle = Math.max(-limit, Math.min(limit, (offset / lens.cells) * lens.bend));
  const size = lens.half / Math.sin(lens.bend);
  return { at: lens.centre + size * Math.sin(angle), scale: ((size * lens.bend) / lens.cells) * Math.cos(angle) };
}

/** The other way round: how many holes from the middle a pixel is. */
export function touch(lens: Lens, at: number): number {
  const sine = ((at - lens.centre) / lens.half) * Math.sin(lens.bend);
  return (Math.asin(Math.max(-1, Math.min(1, sine))) / lens.bend) * lens.cells;
}

/** The whole numbers that can be seen with the middle at `middle`. */
export function visible(lens: Lens, middle: number): number[] {
  const first = Math.floor(middle - lens.cells);
  const last = Math.ceil(middle + lens.cells);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Of a value that repeats, all that can be seen, with half a hole to spare. */
export function copies(lens: Lens, middle: number, value: number, period: number): number[] {
  const found: number[] = [];
  const reach = lens.cells + 0.5;
  for (let copy = value + Math.ceil((middle - reach - value) / period) * period; copy <= middle + reach; copy += period) found.push(copy);
  return found;
}

/** The middle to roll to so that `value` is in sight with `around` holes on either side; the same if it is already. */
export function inSight(lens: Lens, middle: number, value: number, around = 0): number {
  const reach = Math.max(0, lens.cells - 1 - around);
  if (Math.abs(value - middle) <= reach + 0.5) return middle;
  return value > middle ? value - reach : value + reach;
}

// ── What is where on the screen ──

export interface Layout extends Box {
  surface: Box;
  across: Lens;
  down: Lens;
  /** By seat: the groove in which its marbles wait. */
  trays: Box[];
  /** A strip with the whole board, if not all columns are in sight. */
  overview: Box | null;
}

const leastCell = 30;
const leastRow = 24;
/** So much more than the whole board is seen, so that what comes round shows before it does. */
const more = 1.3;

/** How much of an area the board takes: holes are never much wider than high, nor higher than wide. */
export function fit(plan: Plan, width: number, height: number): { width: number; height: number } {
  const frame = { width: 48, height: 130 };
  const row = (height - frame.height) / (plan.rows + more);
  const column = (width - frame.width) / Math.min(plan.columns + more, 12);
  return {
    width: Math.min(width, frame.width + Math.max(leastCell + 4, row * 1.4) * (plan.columns + more)),
    height: Math.min(height, frame.height + column * 1.3 * (plan.rows + more)),
  };
}

export function layoutOf(plan: Plan, width: number, height: number): Layout {
  const margin = width < 480 ? 17 : 24;
  const tray = Math.max(28, Math.min(48, height * 0.08));
  const gap = 4;
  const ruler = width < 480 ? 13 : 17;
  const inner = width - 2 * margin;

  const columns = (high: number) => {
    const row = high / (plan.rows + more);
    return Math.min(plan.columns + more, inner / Math.max(leastCell, row * 0.7));
  };
  const top = tray + gap + ruler;
  const room = height - top - ruler - gap - tray;
  const strip = columns(room) < plan.columns ? Math.max(20, Math.min(40, inner / (plan.columns / plan.rows))) : 0;
  const high = Math.max(80, room - (strip && strip + gap + 2));
  const surface: Box = { x: margin, y: top, width: inner, height: high };
  return {
    x: 0, y: 0, width, height, surface,
    across: { centre: margin + inner / 2, half: inner / 2, cells: columns(high) / 2, bend: 0.72 },
    down: { centre: top + high / 2, half: high / 2, cells: Math.min(plan.rows + more, high / leastRow) / 2, bend: 0.8 },
    trays: trayBoxes(plan, { x: margin, y: gap, width: inner, height: tray }, height - gap - tray),
    overview: strip ? { x: margin, y: top + high + ruler, width: inner, height: strip } : null,
  };
}

/** Trays lie side by side, the viewer's own side below; with three playboards the viewer's own is in the middle. */
function trayBoxes(plan: Plan, first: Box, below: number): Box[] {
  const own = Math.floor(plan.view / 2);
  const left = plan.playboards > 2 ? 1 : 0;
  const gap = 8;
  const width = (first.width - gap * (plan.playboards - 1)) / plan.playboards;
  return Array.from({ length: 2 * plan.playboards }, (_, seat) => {
    const away = (Math.floor(seat / 2) - own) * (plan.turned ? -1 : 1);
    const index = wrap(away + left, plan.playboards);
    return { x: first.x + index * (width + gap), y: seat % 2 === plan.view % 2 ? below : first.y, width, height: first.height };
  });
}

/** Where the marble of that rank lies in a tray, and its radius. A number stands at the tray's end. */
export function inTray(box: Box, rank: number, marbles = 10): Point & { radius: number } {
  const radius = Math.min(box.height * 0.36, 15);
  const first = box.x + radius + 7;
  const last = box.x + box.width - radius - 33;
  const step = Math.min(radius * 2.25, (last - first) / (marbles - 1));
  return { x: first + rank * step, y: box.y + box.height / 2, radius };
}

/** Places for a row of buttons above a point, or below it where there is no room, all of them on the surface. */
export function fan(surface: Box, at: Point, count: number, size: number, distance: number): Point[] {
  const whole = count * size;
  const left = Math.max(surface.x, Math.min(surface.x + surface.width - whole, at.x - whole / 2));
  const y = at.y - distance - size / 2 < surface.y ? at.y + distance : at.y - distance;
  return Array.from({ length: count }, (_, i) => ({ x: left + (i + 0.5) * size, y }));
}
