import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import { cellOf } from './grid';

const module: BoardModule = {
  Board,
  die: 12,
  spot: () => null,
  point: (place) => (/^\d+$/.test(place) ? cellOf(Number(place)) : null),
  place: (place) => (place === 'die' ? ['place.die'] : ['place.number', { n: Number(place) }]),
  label(choice) {
    if (choice.name !== 'stop') return ['choice.quad'];
    return ['choice.stop', { n: choice.effects.find((effect) => effect.score !== undefined)?.points ?? 0 }];
  },
  describe: (pieces) => {
    const rolled = pieces.filter((piece) => piece.place !== 'die').map((piece) => piece.place);
    return rolled.length === 0 ? [['describe.none']] : [['describe.rolled', { numbers: rolled.join(', ') }]];
  },
  why: () => ['why.dice'],
};

export default module;
