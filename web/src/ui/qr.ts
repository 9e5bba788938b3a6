// A QR code as the path of an SVG, made here: no address leaves the browser.
import { encode } from 'uqr';

export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x},${y}h1v1h-1z`] : []))).join('');
  return { path, size };
}
