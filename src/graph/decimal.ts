/** Numbers by their digits: a double rounds whole numbers beyond 2^53, and they come as texts (exact-json.ts). */
import type { Json } from './value.ts';

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
/** The digits of longer texts cost more to compare than they can matter: what a double holds of them decides. */
const MAX_EXACT_CHARS = 400;

/** The decimal text of a number or of a numeric text; null for any other value. */
export function readDecimal(value: Json): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return DECIMAL.test(text) ? text : null;
}

interface Scaled {
  readonly digits: bigint;
  /** Decimal places that `digits` stands to the left of the point. */
  readonly exponent: number;
}

function scale(decimal: string): Scaled {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt((whole + fraction).replace('+', ''));
  return { digits, exponent: Number(exponent) - fraction.length };
}

/** Below 0, 0 or above 0, as the first decimal text is smaller than, equal to or larger than the second. */
export function compareDecimals(a: string, b: string): number {
  const rounded = Number(a) - Number(b);
  // Rounding keeps the order: only what it has made equal may still differ.
  if (rounded !== 0 && !Number.isNaN(rounded)) return rounded;
  if (a === b || a.length > MAX_EXACT_CHARS || b.length > MAX_EXACT_CHARS) return 0;
  const [left, right] = [scale(a), scale(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const atExponent = (one: Scaled): bigint => one.digits * 10n ** BigInt(one.exponent - exponent);
  const difference = atExponent(left) - atExponent(right);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
