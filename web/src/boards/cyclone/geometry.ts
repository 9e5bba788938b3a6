// Where things are: the arms wind out of the eye in the middle like those of a storm, side by side, and each ends in the tray
// that is its base. One unit is the distance of two spaces of an arm. y grows downwards, angles turn clockwise.
import type { Setting } from '../contract';

export type Point = readonly [number, number];

export interface Tray {
  centre: Point;
  width: number;
  height: number;
}

export interface Plan {
  arm: number;
  /** By arm and space: index 0 is the middle of the base, the last is the innermost space. */
  spaces: Point[][];
  trays: Tray[];
  /** Lines along the arms, from the base to the innermost space and on to the rim of the eye. */
  lanes: Point[][];
  /** Lines in the middle between two arms: the grain of the storm. */
  winds: Point[][];
  box: { x: number; y: number; width: number; height: number };
}

/** Radius of the eye in the middle, where the actions that are left are shown. */
export const eye = 0.78;
/** How big cubes are drawn in a base, where they do not stack, and how far apart. */
export const baseScale = 0.6;
const baseStep = 0.5;

/** Distance of the innermost spaces from the middle. */
const inner = 1.36;
/** Distance of two arms; more than a space, so that there is room for towers. */
const gap = 1.56;
/** By seats, in degrees: where the viewer's base lies, below the middle and so that the whole takes the least room. */
const baseAngle: Record<number, number> = { 2: 56, 3: 116, 4: 135 };
/** Slots for each guest in a base: as many as win the game when they are full. */
export const columns = (seats: number) => (seats === 2 ? 5 : 3);
const radians = Math.PI / 180;

const polar = (radius: number, angle: number): Point => [radius * Math.cos(angle), radius * Math.sin(angle)];
const between = ([x, y]: Point, [u, v]: Point, part: number): Point => [x + (u - x) * part, y + (v - y) * part];

export function planOf({ seats, view, options }: Pick<Setting, 'seats' | 'view' | 'options'>): Plan {
  const arm = Number(options.arm ?? 8);
  const growth = (gap * seats) / (2 * Math.PI);
  /** The angle, counted from the innermost space, at which an arm is so long. */
  const angleAt = (length: number): number => {
    let angle = 0;
    for (let walked = 0; walked < length; walked += 0.02) angle += 0.02 / Math.hypot(inner + growth * angle, growth);
    return angle;
  };
  const radiusAt = (angle: number) => inner + growth * angle;

  const end = angleAt(arm - 1);
  const turn = (2 * Math.PI) / seats;
  const starts = Array.from({ length: seats }, (_, seat) => (baseAngle[seats] ?? 90) * radians - angleAt(arm + 0.3) + (seat - view) * turn);
  const on = (seat: number, angle: number, out = 0): Point => polar(radiusAt(angle) + out, starts[seat]! + angle);
  const samples = Array.from({ length: 61 }, (_, index) => (end * index) / 60);
  const each = <T>(make: (seat: number) => T): T[] => starts.map((_, seat) => make(seat));

  const spaces = each((seat) => Array.from({ length: arm }, (_, index) => on(seat, angleAt(arm - 1 - index))));
  const size = { width: baseStep * columns(seats) + (seats === 2 ? 0.3 : 0.7), height: baseStep * seats + 0.42 };
  const trays = each((seat) => trayBeyond(starts[seat]! + angleAt(arm + 0.3), size, spaces.flat()));
  return {
    arm,
    spaces: each((seat) => [trays[seat]!.centre, ...spaces[seat]!]),
    trays,
    lanes: each((seat) => [trays[seat]!.centre, ...samples.map((angle) => on(seat, angle)).reverse(), polar(eye, starts[seat]! - 0.25)]),
    winds: each((seat) => samples.slice(14).map((angle) => on(seat, angle, -gap / 2))),
    box: boxAround([...trays, ...spaces.flat().map((centre) => ({ centre, width: 1, height: 1 }))]),
  };
}

/** A base lies as near to the middle as it can without touching a space. */
function trayBeyond(angle: number, size: { width: number; height: number }, spaces: readonly Point[]): Tray {
  const touches = ([x, y]: Point) =>
    spaces.some(([u, v]) => Math.hypot(Math.max(0, Math.abs(u - x) - size.width / 2), Math.max(0, Math.abs(v - y) - size.height / 2)) < 0.62);
  let radius = inner;
  while (touches(polar(radius, angle))) radius += 0.05;
  return { centre: polar(radius, angle), ...size };
}

function boxAround(trays: readonly Tray[]): Plan['box'] {
  const edge = 0.42;
  const x = Math.min(...trays.map(({ centre, width }) => centre[0] - width / 2)) - edge;
  const y = Math.min(...trays.map(({ centre, height }) => centre[1] - height / 2)) - edge;
  const right = Math.max(...trays.map(({ centre, width }) => centre[0] + width / 2)) + edge;
  const bottom = Math.max(...trays.map(({ centre, height }) => centre[1] + height / 2)) + edge;
  return { x, y, width: right - x, height: bottom - y };
}

/** `b3` is space 3 of arm 1. */
export function parsePlace(place: string): { arm: number; space: number } | null {
  const match = /^([a-d])(\d+)$/.exec(place);
  return match && { arm: match[1]!.charCodeAt(0) - 97, space: Number(match[2]) };
}
export const nameOf = (arm: number, space: number) => `${String.fromCharCode(97 + arm)}${space}`;

export function pointOf(plan: Plan, place: string): Point | null {
  const at = parsePlace(place);
  return at && (plan.spaces[at.arm]?.[at.space] ?? null);
}

/** Where slot `index` of a seat's row is in a base: the owner's row in front, behind it the guests' as they follow in turn. */
export function slotOf(plan: Plan, base: number, seat: number, index: number, cubes = 0): Point {
  const { centre, width, height } = plan.trays[base]!;
  const seats = plan.trays.length;
  const row = (seat - base + seats) % seats;
  // The owner's five stand closer than the guests do; and so do guests, should more come than win the game.
  const slots = Math.max(cubes, row === 0 ? 5 : columns(seats));
  const step = Math.min(baseStep, (width - 0.2 - baseStep) / (slots - 1));
  return [centre[0] + (index - (slots - 1) / 2) * step, centre[1] + height / 2 - 0.21 - baseStep * (row + 0.5)];
}

/** The places from one to another, both included: along an arm, or in to the middle and out again. */
export function wayOf(plan: Plan, from: string, to: string): string[] {
  const [start, goal] = [parsePlace(from), parsePlace(to)];
  if (!start || !goal) return [];
  const along = (arm: number, first: number, last: number): string[] => {
    const step = Math.sign(last - first);
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => nameOf(arm, first + index * step));
  };
  if (start.arm === goal.arm) return along(start.arm, start.space, goal.space);
  return [...along(start.arm, start.space, plan.arm), ...along(goal.arm, plan.arm, goal.space)];
}

// ── Cubes, seen from the front and above: a front face, and on top of it the top face in perspective ──

export const cube = { width: 0.76, front: 0.42, top: 0.34, corner: 0.09 };
/** How far below its space's middle a cube's front edge is drawn, so that a single cube looks centred. */
export const foot = 0.34;
/** Towers of more than three are drawn no higher than this many cubes: each cube shows less of its front. */
const tallest = 3.4;

/** How much of the front of each cube shows in a tower of so many. */
export const levelHeight = (cubes: number): number => (cubes <= 3 ? cube.front : (cube.front * tallest) / (cubes + 0.4));

/** A smooth line through points, as an SVG path. */
export function curve(points: readonly Point[]): string {
  const text = ([x, y]: Point) => `${x.toFixed(3)} ${y.toFixed(3)}`;
  if (points.length < 3) return `M${points.map(text).join('L')}`;
  const middles = points.slice(1, -2).map((point, index) => `Q${text(point)} ${text(between(point, points[index + 2]!, 0.5))}`);
  return `M${text(points[0]!)}${middles.join('')}Q${text(points.at(-2)!)} ${text(points.at(-1)!)}`;
}
