/** Sums and averages of decimals, by all their digits: 0.1 and 0.2 are 0.3. */
import { MAX_EXACT_CHARS, type Decimal, type ScaledInteger } from './decimal.ts';

/** Longer numbers are refused: a sum that leaves out digits would be wrong without a word. */
export const MAX_DIGITS = MAX_EXACT_CHARS;
/** Digits of an average that does not end: a double has at most 17. */
const AVERAGE_DIGITS = 20;

/** Writes `digits` times ten to `exponent` as a number of JSON, an integer without point and exponent. */
export function formatDecimal(digits: bigint, exponent: number): string {
  if (exponent >= 0) return (digits * 10n ** BigInt(exponent)).toString();
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(1 - exponent, '0');
  const fraction = text.slice(exponent).replace(/0+$/, '');
  return `${sign}${text.slice(0, exponent)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Rounds to places after the point, halves away from zero. @returns with exactly these places */
export function roundDecimal({ digits, exponent }: ScaledInteger, places: number): ScaledInteger {
  const surplus = -exponent - places;
  if (surplus <= 0) return { digits: digits * 10n ** BigInt(-surplus), exponent: places === 0 ? 0 : -places };
  const unit = 10n ** BigInt(surplus);
  const half = digits < 0n ? -(unit / 2n) : unit / 2n;
  return { digits: (digits + half) / unit, exponent: places === 0 ? 0 : -places };
}

export class ExactSum {
  #digits = 0n;
  /** The sum is the digits times ten to this power. */
  #exponent = 0;
  #count = 0n;

  /** Adds a number. @returns false for one that is too long */
  add(decimal: Decimal): boolean {
    const number = decimal.scale();
    if (number === null) return false;
    const exponent = Math.min(this.#exponent, number.exponent);
    const toExponent = (digits: bigint, from: number): bigint => digits * 10n ** BigInt(from - exponent);
    this.#digits = toExponent(this.#digits, this.#exponent) + toExponent(number.digits, number.exponent);
    this.#exponent = exponent;
    this.#count += 1n;
    return true;
  }

  /** The sum as a number of JSON; 0 of nothing. */
  get total(): string {
    return formatDecimal(this.#digits, this.#exponent);
  }

  /** The average as a number of JSON; null of nothing. One that does not end is cut after more digits than a double has. */
  get average(): string | null {
    if (this.#count === 0n) return null;
    const { length } = (this.#digits < 0n ? -this.#digits : this.#digits).toString();
    const places = Math.max(0, AVERAGE_DIGITS + this.#count.toString().length - length);
    const scaled = this.#digits * 10n ** BigInt(places);
    if (scaled % this.#count === 0n) return formatDecimal(scaled / this.#count, this.#exponent - places);
    const text = formatDecimal(scaled / this.#count, this.#exponent - places);
    const rounded = Number(text);
    return Number.isFinite(rounded) ? String(rounded) : text;
  }
}
