// Arrow keys between places: the nearest one that lies in the arrow's direction.

const directions: Record<string, readonly [number, number]> = {
  ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1],
};

/** The index to go to from index `from` (-1: from nowhere, to the first). Places without a point come in their order. */
export function toward(points: readonly (readonly [number, number] | null)[], from: number, key: string): number {
  const direction = directions[key];
  if (!direction || points.length === 0) return from;
  const start = points[from];
  if (from < 0) return 0;
  const inOrder = (from + (direction[0] + direction[1] > 0 ? 1 : points.length - 1)) % points.length;
  if (!start) return inOrder;
  let best = -1;
  let least = Infinity;
  points.forEach((point, index) => {
    if (!point || index === from) return;
    const [x, y] = [point[0] - start[0], point[1] - start[1]];
    const along = x * direction[0] + y * direction[1];
    const across = Math.abs(x * direction[1] - y * direction[0]);
    // Within 60 degrees to both sides; what lies straight ahead counts as nearer.
    if (along <= 1e-9 || across > along * 1.74) return;
    const distance = along + across * 2;
    if (distance < least) [best, least] = [index, distance];
  });
  return best < 0 ? inOrder : best;
}
