/** Compares numbers by their digits: integers beyond 2^53 are kept as texts (exact-json.ts), and a double would round them. */
import type { Json } from './value.ts';

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
/** Longer texts are compared as doubles: BigInt arithmetic on all their digits would cost too much. */
export const MAX_EXACT_CHARS = 400;

export interface ScaledInteger {
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

/** A number with all its digits. It is parsed once, however often it is compared. */
export class Decimal {
  readonly #text: string;
  /** The nearest double. */
  readonly rounded: number;
  #exact: ScaledInteger | null = null;

  /** @param text matches DECIMAL */
  constructor(text: string) {
    this.#text = text;
    this.rounded = Number(text);
  }

  /** Below 0, 0 or above 0, as this number is smaller than, equal to or larger than the other. */
  compareTo(other: Decimal): number {
    const rounded = this.rounded - other.rounded;
    // Rounding keeps the order, so only numbers that are equal as doubles need their digits.
    if (rounded !== 0 && !Number.isNaN(rounded)) return rounded;
    const [a, b] = [this.#text, other.#text];
    if (a === b || a.length > MAX_EXACT_CHARS || b.length > MAX_EXACT_CHARS) return 0;
    const [left, right] = [this.#scale(), other.#scale()];
    const exponent = Math.min(left.exponent, right.exponent);
    const atExponent = (one: ScaledInteger): bigint =>
      one.exponent === exponent ? one.digits : one.digits * 10n ** BigInt(one.exponent - exponent);
    const difference = atExponent(left) - atExponent(right);
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }

  /** The number as a scaled integer; null for one of too many characters, or of too many zeros when it is written out. */
  scale(): ScaledInteger | null {
    if (this.#text.length > MAX_EXACT_CHARS) return null;
    const scaled = this.#scale();
    return Math.abs(scaled.exponent) > MAX_EXACT_CHARS ? null : scaled;
  }

  #scale(): ScaledInteger {
    this.#exact ??= parseDecimal(this.#text);
    return this.#exact;
  }
}

/** Reads a number or a numeric text; null for any other value. */
export function readDecimal(value: Json): Decimal | null {
  if (typeof value === 'number') return new Decimal(String(value));
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return DECIMAL.test(text) ? new Decimal(text) : null;
}
