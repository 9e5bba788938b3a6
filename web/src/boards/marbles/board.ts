import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import { holes, pointOf, sectorOf } from './geometry';

const module: BoardModule = {
  Board,
  die: 6,
  // A move names the marble as its owner counts; its effects say where it stands.
  spot: (choice) => choice.effects.find((effect) => effect.move !== undefined)?.path?.[0] ?? null,
  point: (place, setting) => pointOf(holes(setting), place),
  place(place, setting) {
    const own = /^s(\d+):(?:h(\d+)|base)$/.exec(place);
    if (own) return own[2] === undefined ? ['place.base'] : ['place.home', { n: Number(own[2]) }];
    // Counted as the viewer counts: from the first space of their own sector.
    const spaces = Number(setting.options.spaces);
    const sectors = Number(setting.options.sectors);
    const first = sectorOf(setting.view, setting.seats, sectors) * spaces;
    return ['place.ring', { n: (Number(place.slice(1)) - first + sectors * spaces) % (sectors * spaces) }];
  },
  why: (place, pieces) => (pieces.some((piece) => piece.place === place) ? null : ['why.empty']),
};

export default module;
