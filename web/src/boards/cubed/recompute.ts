// Cubed's bag, as docs/randomness.md has it: what each deal and draw must have been.
import type { MakeRecompute } from '../../protocol/verify';

const colours = ['B', 'C', 'G', 'P', 'R'];
const handSizes: Record<number, number> = { 1: 25, 2: 25, 3: 18, 4: 13, 5: 11, 6: 9 };
const blocks = (piece: string) => piece.endsWith('XX');

/** A piece is named by the first of its three rotations. */
const named = (a: string, b: string, c: string) => [a + b + c, b + c + a, c + a + b].sort()[0]!;

export function fullBag(): string[] {
  const names = new Set<string>();
  for (const a of colours) {
    for (const b of colours) {
      if (a < b) names.add(`${a}${b}W`);
      if (a !== b) names.add(named(a, a, b));
      for (const c of colours) if (a !== b && b !== c && a !== c) names.add(named(a, b, c));
    }
    names.add(a + a + a);
  }
  return [...names, ...colours.map((colour) => `${colour}XX`), ...colours.map((colour) => `${colour}XX`)].sort();
}

const recompute: MakeRecompute = (numbers, settings) => {
  let round = -1;
  let bag: string[] = [];
  /** Pieces of which one is to be kept. */
  let taken: string[] = [];
  const draw = () => bag.splice(numbers(`bag ${round}`, bag.length), 1)[0]!;
  const drawSome = (count: number) => Array.from({ length: count }, draw).sort();

  const dealAlone = () => {
    const hand: string[] = [];
    const out: string[] = [];
    while (hand.length < handSizes[1]!) {
      hand.push(draw());
      const blocking = hand.filter(blocks).sort();
      if (blocking.length <= 3) continue;
      const extra = blocking[numbers(`bag ${round}`, 4)]!;
      hand.splice(hand.indexOf(extra), 1);
      out.push(extra);
    }
    return { chance: 'deal', hands: [hand.sort()], out: out.sort() };
  };

  return (event, moves) => {
    for (const move of moves) {
      if (!move.startsWith('keep ')) continue;
      taken.splice(taken.indexOf(move.slice(5)), 1);
      bag = [...bag, ...taken].sort();
    }
    if (event.chance === 'deal') {
      round++;
      bag = fullBag();
      if (settings.seats === 1) return dealAlone();
      return { chance: 'deal', hands: Array.from({ length: settings.seats }, () => drawSome(handSizes[settings.seats]!)) };
    }
    if (event.chance?.startsWith('start ')) {
      const out: string[] = [];
      let piece = draw();
      for (; blocks(piece); piece = draw()) out.push(piece);
      return { chance: `start ${piece}`, out: out.sort() };
    }
    const asked = moves.at(-1) ?? '';
    if (!asked.startsWith('take')) return { chance: `draw ${draw()}` };
    taken = drawSome(Number(asked.slice(4)));
    return { chance: ['draw', ...taken].join(' ') };
  };
};

export default recompute;
