import { describe, expect, it } from 'vitest';
import type { Placed } from '../../table/pieces';
import { cellOf, centre, comb, faces, fitted, fringe, half, handOf, inOrder, nearest, seen, zoomed } from './geometry';

const laid = (kind: string, place: string, id = 1): Placed => ({ id, seat: -1, kind, place });

describe('cells', () => {
  it('reads places', () => {
    expect(cellOf('-3,12')).toEqual([-3, 12]);
    expect(cellOf('hand 1')).toBeNull();
    expect(cellOf('bag')).toBeNull();
    expect(handOf('hand 3')).toBe(3);
    expect(handOf('0,0')).toBeNull();
  });
  it('puts the six neighbours at the same distance', () => {
    for (const cell of [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]] as const) {
      expect(Math.hypot(...centre(cell))).toBeCloseTo(2 * half);
    }
  });
});

describe('faces', () => {
  it('turns clockwise by thirds: top, right, left', () => {
    expect(faces('BCG')).toBe('BCG');
    expect(faces('BCG/0')).toBe('BCG');
    expect(faces('BCG/1')).toBe('GBC');
    expect(faces('BCG/2')).toBe('CGB');
  });
  it('shows nothing of a hidden piece', () => expect(faces('?')).toBe('???'));
});

describe('fringe', () => {
  it('closes the four cells that black sides face', () => {
    const { closed, open } = fringe([laid('CXX/0', '0,0')]);
    expect(closed.sort()).toEqual(['-1,0', '-1,1', '0,1', '1,0'].sort());
    expect(open.sort()).toEqual(['0,-1', '1,-1'].sort());
  });
  it('has no cell where a piece lies, and none for hands', () => {
    const { open, closed } = fringe([laid('BBB/0', '0,0'), laid('BBB/0', '1,0', 2), laid('BXX', 'hand 0', 3)]);
    expect(open).not.toContain('0,0');
    expect(open).toHaveLength(8);
    expect(closed).toEqual([]);
  });
});

describe('camera', () => {
  const area = { width: 360, height: 300, above: 40, below: 40 };
  it('shows all cells between what lies over the table', () => {
    const cells = [[-5, 0], [6, -3], [0, 5]] as const;
    const camera = fitted(cells, area);
    for (const cell of cells) {
      const [x, y] = seen(camera, centre(cell));
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(360);
      expect(y).toBeGreaterThan(40);
      expect(y).toBeLessThan(260);
    }
  });
  it('does not blow up a single piece', () => expect(fitted([[0, 0]], area, 44).scale).toBe(44));
  it('zooms about a point', () => {
    const camera = fitted([[0, 0], [3, 3]], area);
    const point = [1, 1] as const;
    const [x, y] = seen(camera, point);
    const after = seen(zoomed(camera, 1.5, x, y), point);
    expect(after[0]).toBeCloseTo(x);
    expect(after[1]).toBeCloseTo(y);
  });
  it('finds the cell under a finger', () => {
    const camera = { left: 100, top: 100, scale: 20 };
    expect(nearest(['0,0', '1,0'], camera, [133, 102])).toBe('1,0');
    expect(nearest(['0,0', '1,0'], camera, [300, 300])).toBeNull();
  });
});

describe('comb', () => {
  it('keeps a hand of 25 in a strip of a phone', () => {
    const { slots, width, height, radius } = comb(25, 340, 120);
    expect(slots).toHaveLength(25);
    expect(width).toBeLessThanOrEqual(340);
    expect(height).toBeLessThanOrEqual(120);
    expect(radius).toBeGreaterThan(18);
  });
  it('stays within its width for every hand', () => {
    for (let count = 0; count <= 60; count++) expect(comb(count, 340, 120).width).toBeLessThanOrEqual(340);
  });
});

it('orders a hand: colours, blocking, wild', () => {
  const hand = ['BCW', 'BXX', 'RRR', 'BBC'].map((kind, id) => ({ kind, id }));
  expect(inOrder(hand).map((piece) => piece.kind)).toEqual(['BBC', 'RRR', 'BXX', 'BCW']);
});
