// Walking the tree of legal moves.
import type { Effect, TreeNode } from '../protocol/types';

export interface Choice {
  name: string;
  node: TreeNode;
  /** What choosing it is sure to bring about, with what was chosen before. */
  effects: Effect[];
}

/** Where the names lead: the node, and the effects on the way to it. */
export function walk(tree: TreeNode, names: readonly string[]): { node: TreeNode; effects: Effect[] } | null {
  let node = tree;
  const effects = [...(tree.effects ?? [])];
  for (const name of names) {
    const next = node.next?.[name];
    if (!next) return null;
    node = next;
    effects.push(...(node.effects ?? []));
  }
  return { node, effects };
}

/** Follows a node for as long as it leaves no choice. */
export function forced(node: TreeNode): { names: string[]; node: TreeNode; effects: Effect[] } {
  const names: string[] = [];
  const effects: Effect[] = [];
  for (;;) {
    const entries = Object.entries(node.next ?? {});
    if (entries.length !== 1) return { names, node, effects };
    const [name, next] = entries[0]!;
    names.push(name);
    effects.push(...(next.effects ?? []));
    node = next;
  }
}

/** What can be chosen after the names in `picked`. */
export function choices(tree: TreeNode | null, picked: readonly string[]): Choice[] {
  const here = tree && walk(tree, picked);
  if (!here?.node.next) return [];
  return Object.entries(here.node.next).map(([name, node]) => ({
    name,
    node,
    effects: [...here.effects, ...(node.effects ?? []), ...forced(node).effects],
  }));
}

/** The whole move when choosing `name` leaves nothing more to choose, and else the names chosen so far. */
export function chosen(tree: TreeNode, picked: readonly string[], name: string): { names: string[]; complete: boolean } {
  const names = [...picked, name];
  const here = walk(tree, names);
  if (!here) return { names: [...picked], complete: false };
  const on = forced(here.node);
  return { names: [...names, ...on.names], complete: !on.node.next };
}

/** The only move that there is, or null. */
export function onlyMove(tree: TreeNode): string[] | null {
  const on = forced(tree);
  return on.node.next || on.names.length === 0 ? null : on.names;
}
