// The client's part in fair dice: contributions before the game, and recomputing every die after it (docs/fair-dice.md).
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const opening = (match: string, draw: number) => `tessera/1\n${match}\n${draw}\n`;
const hash = (text: string) => bytesToHex(sha256(utf8ToBytes(text)));

export const contribution = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
export const contributionHash = (match: string, draw: number, seat: number, hex: string) =>
  hash(`${opening(match, draw)}${seat}\n${hex}`);
export const secretHash = (match: string, draw: number, secret: string) => hash(`${opening(match, draw)}secret\n${secret}`);

export function key(match: string, draw: number, secret: string, contributions: (string | null)[]): Uint8Array {
  const text = opening(match, draw) + contributions.map((one) => `${one ?? '-'}\n`).join('');
  return hmac(sha256, hexToBytes(secret), utf8ToBytes(text));
}

/** The words of one stream, from its first on, and numbers made of them. */
export class Stream {
  private position = 0;
  private block = new DataView(new ArrayBuffer(0));

  constructor(
    private readonly key: Uint8Array,
    private readonly name: string,
  ) {}

  word(): number {
    if (this.position % 8 === 0) {
      const bytes = hmac(sha256, this.key, utf8ToBytes(`${this.name}\n${this.position / 8}`));
      this.block = new DataView(bytes.buffer, bytes.byteOffset, 32);
    }
    return this.block.getUint32((this.position++ % 8) * 4);
  }

  /** Uniform in 0 … count-1: multiplication with rejection. */
  below(count: number): number {
    for (;;) {
      const product = BigInt(this.word()) * BigInt(count);
      if (Number(product & 0xffffffffn) >= 2 ** 32 % count) return Number(product >> 32n);
    }
  }
}
