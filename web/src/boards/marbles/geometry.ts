// Where the holes are: a cross or star of arms. The ring goes out and in along the arms' sides, each seat's Home lies
// between the sides of its arm, and its base in the notch clockwise of it. One unit is the distance of two holes.
import type { Setting } from '../contract';

export type Point = readonly [number, number];

export interface Holes {
  ring: Point[];
  /** By seat: where its four home spaces are, and its base. */
  homes: Point[][];
  bases: Point[];
  /** Ring spaces by seat: where it comes out with a 1 and with a 6. */
  comeOut: { one: number; six: number }[];
  /** Distance of the arms' tips from the centre. */
  reach: number;
  /** Corners of the outline of the wooden board. */
  outline: Point[];
  /** Distance of two home spaces. */
  homeStep: number;
  sectors: number;
}

export const sectorOf = (seat: number, seats: number, sectors: number) => (sectors % seats === 0 ? (seat * sectors) / seats : seat);

export function holes(setting: Setting): Holes {
  const sectors = Number(setting.options.sectors ?? (setting.seats === 2 ? 4 : setting.seats));
  const spaces = Number(setting.options.spaces ?? 14);
  const both = setting.options.come_out === 'start';
  const half = Math.PI / sectors;
  const inner = 1 / Math.tan(half);
  // Along each side of an arm lie as many holes; an even sector has one more in the corner between two arms, an odd one
  // leaves the corner out, with its neighbours a step apart.
  const side = Math.floor((spaces - 1) / 2);
  const corner = spaces % 2 === 0;
  const reach = inner + (corner ? side : side - 1 + 1 / (2 * Math.sin(half)));
  // The arm of the viewing seat points down.
  const turn = Math.PI / 2 - sectorOf(setting.view, setting.seats, sectors) * 2 * half;
  const along = (sector: number, out: number, side: number): Point => {
    const angle = turn + sector * 2 * half;
    return [out * Math.cos(angle) - side * Math.sin(angle), out * Math.sin(angle) + side * Math.cos(angle)];
  };

  // A sector begins beside the middle of its arm's tip, which is the last space of the sector before.
  const ring: Point[] = [];
  for (let sector = 0; sector < sectors; sector++) {
    for (let step = 0; step < side; step++) ring.push(along(sector, reach - step, 1));
    if (corner) ring.push(along(sector, inner, 1));
    for (let step = side - 1; step >= 0; step--) ring.push(along(sector + 1, reach - step, -1));
    ring.push(along(sector + 1, reach, 0));
  }

  const homeStep = Math.min(1, (reach - 0.9 * Math.max(1, inner * 0.75)) / 4);
  const seats = Array.from({ length: setting.seats }, (_, seat) => sectorOf(seat, setting.seats, sectors));
  const baseOut = Math.max(reach * 0.8, inner / Math.cos(half) + 1.9);
  const edge = 0.95;
  const outline: Point[] = [];
  for (let sector = 0; sector < sectors; sector++) {
    outline.push(along(sector, reach + edge, -1 - edge), along(sector, reach + edge, 1 + edge));
  }
  return {
    ring,
    homes: seats.map((sector) => [1, 2, 3, 4].map((step) => along(sector, reach - step * homeStep, 0))),
    bases: seats.map((sector) => along(sector + 0.5, baseOut, 0)),
    comeOut: seats.map((sector) => ({ one: sector * spaces, six: both ? sector * spaces : sector * spaces + 5 })),
    reach,
    outline,
    homeStep,
    sectors,
  };
}

/** The place of a hole: `r12`, `s2:h1`, `s2:base`. */
export function pointOf(holes: Holes, place: string): Point | null {
  const ring = /^r(\d+)$/.exec(place);
  if (ring) return holes.ring[Number(ring[1])] ?? null;
  const own = /^s(\d+):(?:h(\d+)|base)$/.exec(place);
  if (!own) return null;
  const seat = Number(own[1]);
  return own[2] === undefined ? (holes.bases[seat] ?? null) : (holes.homes[seat]?.[Number(own[2]) - 1] ?? null);
}
