/** SHA-256 (FIPS 180-4): pure and synchronous, for code that runs in the page and in the service alike. */

const PRIMES = 64;

/** The first 32 bits of the fraction of a root. */
const fractionBits = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;

function listPrimes(): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < PRIMES; n += 1)
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

const ROUND = listPrimes().map((prime) => fractionBits(Math.cbrt(prime)));
const START = listPrimes()
  .slice(0, 8)
  .map((prime) => fractionBits(Math.sqrt(prime)));

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function pad(bytes: Uint8Array): DataView {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  for (const [at, byte] of bytes.entries()) padded.setUint8(at, byte);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  return padded;
}

/** Mixes a block of 64 bytes into the state. */
function mix(state: Uint32Array, block: DataView, offset: number): void {
  const w = new Uint32Array(PRIMES);
  const at = (index: number): number => w[index] ?? 0;
  for (let i = 0; i < 16; i += 1) w[i] = block.getUint32(offset + i * 4);
  for (let i = 16; i < PRIMES; i += 1) {
    const [early, late] = [at(i - 15), at(i - 2)];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[i] = at(i - 16) + s0 + at(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < PRIMES; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + at(i)) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const state = Uint32Array.from(START);
  const padded = pad(bytes);
  for (let offset = 0; offset < padded.byteLength; offset += 64) mix(state, padded, offset);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setUint32(i * 4, word);
  return new Uint8Array(digest.buffer);
}
