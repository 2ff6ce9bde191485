/** Filters that derive texts from texts: the same from the same, so that an attempt that is repeated has the same. */
import { decodeBase64, encodeBase64, encodeUtf8 } from '../values/base64.ts';
import { sha256 } from '../values/sha256.ts';
import type { Json } from '../values/value.ts';
import { FilterError, readFilterText, type FilterContext, type FilterRule } from './filter.ts';

/** Steps for 64 bytes of a hash, and characters of base64 for each step. */
const STEPS_PER_BLOCK = 60;
const CHARS_PER_STEP = 2;

const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function hash(text: string, { budget }: FilterContext): Uint8Array {
  const bytes = encodeUtf8(text);
  budget.work.spend((1 + bytes.length / 64) * STEPS_PER_BLOCK);
  return sha256(bytes);
}

/** Derives a UUID of version 8 (RFC 9562) from the texts. */
function deriveUuid(texts: readonly string[], context: FilterContext): string {
  const bytes = hash(JSON.stringify(texts), context).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const checkHash = (name: Json | undefined): string | null =>
  name === undefined || name === 'sha256' ? null : 'Filter hash needs "sha256"';

export const HASH_FILTERS = {
  hash: {
    check: ([name]) => checkHash(name),
    apply: (value, [name], context) => {
      const problem = checkHash(name);
      if (problem !== null) throw new FilterError(problem);
      return toHex(hash(readFilterText(value, context), context));
    },
  },
  uuid: {
    apply: (value, args, context) =>
      deriveUuid(
        [value, ...args].map((part) => readFilterText(part, context)),
        context,
      ),
  },
  base64: {
    apply: (value, _, context) => {
      const text = readFilterText(value, context);
      context.budget.work.spend(text.length / CHARS_PER_STEP);
      return encodeBase64(encodeUtf8(text));
    },
  },
  base64_decode: {
    apply: (value, _, context) => {
      const text = readFilterText(value, context);
      context.budget.work.spend(text.length / CHARS_PER_STEP);
      const decoded = decodeBase64(text);
      if (decoded === null) throw new FilterError('The value of base64_decode is not base64 of a text');
      return decoded;
    },
  },
} satisfies Readonly<Record<string, FilterRule>>;
