import type { Text } from '../../messages/messages.svelte';
import type { BoardModule } from '../contract';
import Board from './Board.svelte';
import { cellOf, centre, faces, fringe, handOf } from './geometry';

const isPiece = (name: string) => /^[A-Z]{3}$/.test(name);
const colour = (letter: string): Text => [`colour.${letter}`];

/** `BCG`, and on the table `BCG/2`, in words. */
function pieceText(kind: string): Text {
  if (kind === '?') return ['piece.hidden'];
  const [a, b, c] = kind.slice(0, 3);
  if (a === b && b === c) return ['piece.triple', { a: colour(a!) }];
  return ['piece', { a: colour(a!), b: colour(b!), c: colour(c!) }];
}
function lyingText(kind: string): Text {
  const [a, b, c] = faces(kind);
  return ['lying', { a: colour(a!), b: colour(b!), c: colour(c!) }];
}

const module: BoardModule = {
  Board,
  die: 0,
  confirms: true,
  spot({ name }, picked) {
    if (name === 'draw' || name === 'take') return 'bag';
    if (name === 'pass') return null;
    if (picked[0] === 'take') return `take:${name}`;
    if (name === 'give' || name === 'keep') return name;
    if (picked[0] === 'keep') return `keep:${name}`;
    if (picked[0] === 'give' && picked.length === 2) return `hand ${name.slice(1)}`;
    if (isPiece(name)) return `hand:${name}`;
    return picked.length === 2 ? picked[1]! : name;
  },
  point(place) {
    const cell = cellOf(place);
    return cell && centre(cell);
  },
  place(place, setting) {
    const seat = handOf(place);
    if (seat !== null) return ['place.hand', { who: setting.names[seat] ?? '' }];
    return cellOf(place) ? ['place.cell', { cell: place }] : [`place.${place}`];
  },
  piece: pieceText,
  label({ name, node }, picked, setting) {
    if (name === 'draw' || name === 'give' || name === 'keep' || name === 'pass') return [`label.${name}`];
    if (name === 'take') return ['label.take'];
    if (picked[0] === 'take') return ['label.take_n', { n: Number(name) }];
    if (picked[0] === 'keep') return ['label.keep_piece', { piece: pieceText(name) }];
    if (picked[0] === 'give') {
      return picked.length === 1 ? pieceText(name) : ['label.give_to', { piece: pieceText(picked[1]!), who: setting.names[Number(name.slice(1))] ?? '' }];
    }
    if (isPiece(name)) {
      const cells = Object.keys(node.next ?? {});
      return cells.length === 1 ? ['label.lay_at', { piece: pieceText(name), cell: cells[0]! }] : ['label.lay', { piece: pieceText(name), n: cells.length }];
    }
    return picked.length === 1 ? ['place.cell', { cell: name }] : lyingText(`${picked[0]}/${name}`);
  },
  tell(event, setting) {
    const who = setting.names[event.seat ?? -1] ?? '';
    const take = /^take(\d)$/.exec(event.move ?? '');
    if (take) return [['told.take', { who, n: Number(take[1]) }]];
    // What is drawn is told by the draw that follows.
    if (event.move === 'draw' || (event.move?.startsWith('keep') && !event.effects)) return [];
    if (event.chance?.startsWith('start')) return [['told.start']];
    return null;
  },
  describe(pieces, setting) {
    const laid = pieces.filter((piece) => cellOf(piece.place));
    const lines: Text[] = [['told.table', { n: laid.length }]];
    for (const piece of laid) lines.push(['told.lies', { cell: piece.place, piece: lyingText(piece.kind) }]);
    for (const place of fringe(laid).closed) lines.push(['told.closed', { cell: place }]);
    for (let seat = 0; seat < setting.seats; seat++) {
      const hand = pieces.filter((piece) => piece.place === `hand ${seat}`);
      lines.push(['hand.of', { who: setting.names[seat] ?? '', n: hand.length }]);
      for (const piece of hand) if (piece.kind !== '?') lines.push(pieceText(piece.kind));
    }
    lines.push(['bag.holds', { n: pieces.filter((piece) => piece.place === 'bag').length }]);
    return lines;
  },
  why(place, pieces) {
    if (place.startsWith('hand:')) return ['why.fits_nowhere'];
    if (place === 'bag') return ['why.bag'];
    if (handOf(place) !== null) return ['why.hand'];
    if (pieces.some((piece) => piece.place === place)) return ['why.taken'];
    const laid = pieces.filter((piece) => cellOf(piece.place));
    if (fringe(laid).closed.includes(place)) return ['why.closed'];
    return cellOf(place) ? ['why.no_fit'] : null;
  },
};

export default module;
