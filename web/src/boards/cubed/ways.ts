// What the tree of legal moves offers, put in the shape in which the board asks for it.
import type { Choice } from '../../table/tree';

/** By cell: the turns that fit there. */
export type Cells = ReadonlyMap<string, readonly string[]>;

export interface Ways {
  /** By piece: where it can be laid. */
  lay: ReadonlyMap<string, Cells>;
  /** By piece: the seats (`s2`) that it can be given to. */
  give: ReadonlyMap<string, readonly string[]>;
  /** The pieces of which one is kept. */
  keep: readonly string[];
}

const piece = /^[A-Z]{3}$/;
const next = (choice: Choice) => Object.entries(choice.node.next ?? {});

/** Whoever uses the keyboard may have chosen a part already; then only what goes on from there is offered. */
export function waysOf(choices: readonly Choice[], picked: readonly string[]): Ways {
  const names = choices.map((choice) => choice.name);
  const [first, second, third] = picked;
  const lay = new Map<string, Cells>();
  const give = new Map<string, readonly string[]>();
  let keep: readonly string[] = [];
  if (first === undefined) {
    for (const choice of choices) {
      if (piece.test(choice.name)) lay.set(choice.name, new Map(next(choice).map(([cell, node]) => [cell, Object.keys(node.next ?? {})])));
      if (choice.name === 'give') for (const [name, node] of next(choice)) give.set(name, Object.keys(node.next ?? {}));
      if (choice.name === 'keep') keep = next(choice).map(([name]) => name);
    }
  } else if (first === 'give') {
    if (second === undefined) for (const choice of choices) give.set(choice.name, next(choice).map(([seat]) => seat));
    else give.set(second, third === undefined ? names : [third]);
  } else if (first === 'keep') {
    keep = second === undefined ? names : [second];
  } else if (piece.test(first)) {
    if (second === undefined) lay.set(first, new Map(choices.map((choice) => [choice.name, next(choice).map(([turn]) => turn)])));
    else lay.set(first, new Map([[second, third === undefined ? names : [third]]]));
  }
  return { lay, give, keep };
}
