// How seats look: each has a colour and a shape, and the colours differ in lightness too.

export const shapes = ['circle', 'diamond', 'square', 'triangle', 'star', 'cross'] as const;
export type Shape = (typeof shapes)[number];

export const shapeOf = (seat: number): Shape => shapes[((seat % 6) + 6) % 6]!;
/** A colour for fill or stroke; --seat-N-deep is its darker companion, --seat-N-ink what can be read on it. */
export const colourOf = (seat: number): string => (seat < 0 ? 'var(--nobody)' : `var(--seat-${seat % 6})`);
export const deepOf = (seat: number): string => (seat < 0 ? 'var(--nobody-deep)' : `var(--seat-${seat % 6}-deep)`);
export const inkOf = (seat: number): string => (seat < 0 ? 'var(--ink)' : `var(--seat-${seat % 6}-ink)`);

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, i) => {
    const radius = i % 2 === 0 ? outer : inner;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(3)},${(radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${corners.join('L')}Z`;
}

const paths: Record<Shape, string> = {
  circle: 'M-.8,0A.8,.8 0 1 1 .8,0A.8,.8 0 1 1 -.8,0Z',
  diamond: 'M0,-1L.8,0L0,1L-.8,0Z',
  square: 'M-.72,-.72H.72V.72H-.72Z',
  triangle: 'M0,-.9L.9,.7H-.9Z',
  star: star(5, 1, 0.45),
  cross: 'M-.3,-.9H.3V-.3H.9V.3H.3V.9H-.3V.3H-.9V-.3H-.3Z',
};

/** A path about (0,0) of radius about 1. */
export const shapePath = (seat: number): string => paths[shapeOf(seat)];
