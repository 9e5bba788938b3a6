import type { Text } from '../../messages/messages.svelte';
import type { Placed } from '../../table/pieces';
import type { BoardModule, Setting } from '../contract';
import Board from './Board.svelte';
import { nameOf, parsePlace, planOf, pointOf } from './geometry';

const who = (seat: number, setting: Setting) => setting.names[seat] ?? String(seat + 1);

const module: BoardModule = {
  Board,
  die: 6,
  aspect(setting) {
    const { width, height } = planOf(setting).box;
    return width / height;
  },
  // A choice is the place that a cube leaves, then the place to which it goes. What is no place is to end the turn.
  spot: ({ name }) => (parsePlace(name) ? name : null),
  point: (place, setting) => pointOf(planOf(setting), place),
  place(place, setting) {
    const at = parsePlace(place);
    return at?.space === 0 ? ['place.base', { who: who(at.arm, setting) }] : ['place.space', { name: place }];
  },
  label: ({ name }) => (parsePlace(name) ? null : ['choice.stop']),
  tell: (event, setting) => (event.move === 'pass' ? [['event.stopped', { who: who(event.seat ?? 0, setting) }]] : null),
  describe(pieces, setting) {
    const at = (place: string) => pieces.filter((piece) => piece.place === place);
    const lines: Text[] = [];
    for (let arm = 0; arm < setting.seats; arm++) {
      for (let space = 1; space <= Number(setting.options.arm); space++) {
        const cubes = at(nameOf(arm, space));
        const args = { place: nameOf(arm, space), who: who(cubes.at(-1)?.seat ?? 0, setting) };
        if (cubes.length === 1) lines.push(['describe.cube', args]);
        if (cubes.length > 1) lines.push(['describe.tower', { ...args, below: under(cubes, setting) }]);
      }
      for (let seat = 0; seat < setting.seats; seat++) {
        const n = at(nameOf(arm, 0)).filter((piece) => piece.seat === seat).length;
        const key = seat === arm ? 'describe.waiting' : 'describe.finished';
        if (n > 0) lines.push([key, { n, who: who(seat, setting), whose: who(arm, setting) }]);
      }
    }
    return lines;
  },
  why(place, pieces, setting) {
    const at = parsePlace(place);
    const cubes = pieces.filter((piece) => piece.place === place);
    const mine = cubes.some((piece) => piece.seat === setting.view);
    if (!at) return null;
    if (at.space === 0) return mine && at.arm !== setting.view ? ['why.finished'] : null;
    if (cubes.length === 0) return ['why.empty'];
    const top = cubes.at(-1)!.seat;
    if (top === setting.view) return null;
    return [mine ? 'why.covered' : 'why.others', { who: who(top, setting) }];
  },
};

/** The owners of the cubes below the top one, from the top down. */
function under(cubes: readonly Placed[], setting: Setting): string {
  return cubes.slice(0, -1).reverse().map((piece) => who(piece.seat, setting)).join(', ');
}

export default module;
