// Where things are. Cells are pointy-top hexagons with a radius of 1; a piece shows three diamonds, like the faces of a cube.
import type { Placed } from '../../table/pieces';

export type Point = readonly [number, number];
export type Cell = readonly [q: number, r: number];

/** Half the width of a cell. */
export const half = Math.sqrt(3) / 2;

/** `1,-1`, or null for hands, the bag and what is out of the game. */
export function cellOf(place: string): Cell | null {
  const match = /^(-?\d+),(-?\d+)$/.exec(place);
  return match ? [Number(match[1]), Number(match[2])] : null;
}

export const centre = ([q, r]: Cell): Point => [2 * half * (q + r / 2), 1.5 * r];

/** Whose hand a place is, or null. */
export function handOf(place: string): number | null {
  const match = /^hand (\d+)$/.exec(place);
  return match ? Number(match[1]) : null;
}

/** The three diamonds as they lie: top, right, left. `BCG/2` is turned by two thirds clockwise; `BCG` is not turned. */
export function faces(kind: string): string {
  const [name = '', turn = '0'] = kind.split('/');
  return [0, 1, 2].map((face) => name[(face - Number(turn) + 3) % 3] ?? '?').join('');
}

/** The cells at the two sides of each diamond: top, right, left. */
const beside: readonly (readonly [Cell, Cell])[] = [
  [[0, -1], [1, -1]],
  [[1, 0], [0, 1]],
  [[-1, 1], [-1, 0]],
];
const around: readonly Cell[] = beside.flat();
const step = ([q, r]: Cell, [dq, dr]: Cell): string => `${q + dq},${r + dr}`;

/** The empty cells that touch a piece: those that a black side faces, and the others. */
export function fringe(pieces: readonly Placed[]): { closed: string[]; open: string[] } {
  const taken = new Set(pieces.map((piece) => piece.place));
  const closed = new Set<string>();
  const open = new Set<string>();
  for (const piece of pieces) {
    const cell = cellOf(piece.place);
    if (!cell) continue;
    for (const to of around) open.add(step(cell, to));
    [...faces(piece.kind)].forEach((colour, face) => {
      if (colour === 'X') for (const to of beside[face]!) closed.add(step(cell, to));
    });
  }
  const empty = (place: string) => !taken.has(place);
  return { closed: [...closed].filter(empty), open: [...open].filter((place) => empty(place) && !closed.has(place)) };
}

/** What part of the table is seen: a point (x, y) of it is drawn at (x * scale + left, y * scale + top), in pixels. */
export interface Camera {
  left: number;
  top: number;
  scale: number;
}
export interface Area {
  width: number;
  height: number;
  /** Above and below other things are drawn over the table. */
  above: number;
  below: number;
}

export const leastScale = 8;
export const mostScale = 70;

/** The camera that shows these cells as large as they fit, but not larger than is pleasant. */
export function fitted(cells: readonly Cell[], area: Area, most = 44): Camera {
  const points = cells.length > 0 ? cells.map(centre) : [[0, 0] as Point];
  const [left, right] = [Math.min(...points.map(([x]) => x)) - half, Math.max(...points.map(([x]) => x)) + half];
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)) - 1, Math.max(...points.map(([, y]) => y)) + 1];
  const margin = 8;
  const free = Math.max(40, area.height - area.above - area.below);
  const scale = Math.max(leastScale, Math.min(most, (area.width - 2 * margin) / (right - left), (free - 2 * margin) / (bottom - top)));
  return {
    left: area.width / 2 - ((left + right) / 2) * scale,
    top: area.above + free / 2 - ((top + bottom) / 2) * scale,
    scale,
  };
}

/** Nearer or farther; what is at (x, y) stays there. */
export function zoomed(camera: Camera, factor: number, x: number, y: number): Camera {
  const scale = Math.max(leastScale, Math.min(mostScale, camera.scale * factor));
  const by = scale / camera.scale;
  return { left: x - (x - camera.left) * by, top: y - (y - camera.top) * by, scale };
}

export const seen = (camera: Camera, [x, y]: Point): Point => [x * camera.scale + camera.left, y * camera.scale + camera.top];

/** The nearest of the places to a point in pixels, if it is within a cell's reach. */
export function nearest(places: Iterable<string>, camera: Camera, [x, y]: Point): string | null {
  let best: string | null = null;
  let least = Math.max(camera.scale, 24) * 1.3;
  for (const place of places) {
    const cell = cellOf(place);
    if (!cell) continue;
    const [px, py] = seen(camera, centre(cell));
    const distance = Math.hypot(px - x, py - y);
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

/** A honeycomb of slots, so that a whole hand is seen at once on a phone. */
export interface Comb {
  radius: number;
  width: number;
  height: number;
  slots: Point[];
}

/** As large as possible in this room; smaller than a finger only when nothing else helps. */
export function comb(count: number, width: number, height: number, most = 30, least = 14): Comb {
  for (let radius = most; ; radius -= 0.5) {
    const room = width / (2 * half * radius);
    // Every other row is shifted by half a piece, which takes room when there are several.
    const columns = Math.max(1, Math.floor(count <= room ? room : room - 0.5));
    const rows = Math.max(1, Math.ceil(count / columns));
    const high = radius * (2 + 1.5 * (rows - 1));
    if (high > height && radius > least) continue;
    // Rows of about the same length look better than a short last one.
    const even = Math.max(1, Math.ceil(count / rows));
    const slots = Array.from({ length: count }, (_, index): Point => {
      const row = Math.floor(index / even);
      return [half * radius * (1 + 2 * (index % even) + (row % 2)), radius * (1 + 1.5 * row)];
    });
    return { radius, width: half * radius * (2 * even + (rows > 1 ? 1 : 0)), height: high, slots };
  }
}

/** A hand in an order that keeps alike pieces together: colours, then blocking pieces, then wild ones. */
export function inOrder<Piece extends { kind: string; id: number }>(hand: readonly Piece[]): Piece[] {
  const key = ({ kind }: Piece) => `${kind.includes('W') ? 2 : kind.includes('X') ? 1 : 0}${kind}`;
  return [...hand].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
}
