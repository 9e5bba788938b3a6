// A lesson is a recording whose next step is known: of the legal moves only the one that was made can be chosen.
import type { Effect, TableEvent, TreeNode } from '../protocol/types';

// Paths in a tree have only their two ends.
const shape = (effects: readonly Effect[]) => JSON.stringify(effects.map((effect) => (effect.path ? { ...effect, path: [effect.path[0], effect.path.at(-1)] } : effect)));

/** The tree with nothing but the move that the event tells; null when it has none such. */
export function only(tree: TreeNode, event: TableEvent): TreeNode | null {
  const wanted = shape(event.effects ?? []);
  const search = (node: TreeNode, before: readonly Effect[]): TreeNode | null => {
    const effects = [...before, ...(node.effects ?? [])];
    if (!node.next) return shape(effects) === wanted ? node : null;
    for (const [name, next] of Object.entries(node.next)) {
      const found = search(next, effects);
      if (found) return { ...node, next: { [name]: found } };
    }
    return null;
  };
  return search(tree, []);
}
