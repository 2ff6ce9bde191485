/** Compares numbers by their digits: integers beyond 2^53 are kept as texts (exact-json.ts), and a double would round them. */
import type { Json } from '../language/graph/values/value.ts';

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
/** Longer texts are compared as doubles: BigInt arithmetic on all their digits would cost too much. */
const MAX_EXACT_CHARS = 400;

/** The decimal text of a number or of a numeric text; null for any other value. */
export function readDecimal(value: Json): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return DECIMAL.test(text) ? text : null;
}

interface ScaledInteger {
  readonly digits: bigint;
  /** The value is `digits` times ten to this power. */
  readonly exponent: number;
}

function parseDecimal(decimal: string): ScaledInteger {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt((whole + fraction).replace('+', ''));
  return { digits, exponent: Number(exponent) - fraction.length };
}

/** Below 0, 0 or above 0, as the first decimal text is smaller than, equal to or larger than the second. */
export function compareDecimals(a: string, b: string): number {
  const rounded = Number(a) - Number(b);
  // Rounding keeps the order, so only numbers that are equal as doubles need their digits.
  if (rounded !== 0 && !Number.isNaN(rounded)) return rounded;
  if (a === b || a.length > MAX_EXACT_CHARS || b.length > MAX_EXACT_CHARS) return 0;
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const atExponent = (one: ScaledInteger): bigint => one.digits * 10n ** BigInt(one.exponent - exponent);
  const difference = atExponent(left) - atExponent(right);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
