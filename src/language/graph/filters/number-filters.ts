/** Filters of numbers, which keep all digits: a number that a double cannot hold becomes a text, as in JSON (values/exact-json.ts). */
import { readDecimal, type ScaledInteger } from '../values/decimal.ts';
import { keepDigits } from '../values/exact-json.ts';
import { formatDecimal, roundDecimal } from '../values/exact-sum.ts';
import type { Json } from '../values/value.ts';
import {
  FilterError,
  readFilterText,
  readIntegerArgument,
  readTextArgument,
  type FilterContext,
  type FilterRule,
} from './filter.ts';
import { findCurrencyDigits, findLocale, formatCurrency, formatLocal, parseLocal } from './locale-numbers.ts';

/** Steps to read and write a number. */
const STEPS_PER_NUMBER = 100;
const MAX_PLACES = 20;
const CURRENCY = /^[A-Z]{3}$/;

function readScaled(value: Json, name: string, context: FilterContext): ScaledInteger {
  context.budget.work.spend(STEPS_PER_NUMBER);
  if (typeof value === 'string') readFilterText(value, context);
  const scaled = readDecimal(value)?.scale() ?? null;
  if (scaled === null) throw new FilterError(`The value of ${name} is not a number`);
  return scaled;
}

const toJsonNumber = (text: string): Json => keepDigits(text, JSON.parse(text) as Json).value;

function readPlaces(value: Json | undefined): number | null {
  if (value === undefined || value === null) return null;
  const places = readIntegerArgument(value, 'number of places');
  if (places < 0 || places > MAX_PLACES) throw new FilterError(`A number has 0 to ${MAX_PLACES} places`);
  return places;
}

function readLocale(value: Json | undefined) {
  const locale = findLocale(value === undefined || value === null ? 'en' : readTextArgument(value, 'locale'));
  if (locale === null) throw new FilterError(describeLocale(value));
  return locale;
}

const describeLocale = (value: Json | undefined): string =>
  `There are no number formats for the locale ${JSON.stringify(value)}`;

const checkLocale = (value: Json | undefined): string | null =>
  value === undefined || value === null || (typeof value === 'string' && findLocale(value) !== null)
    ? null
    : describeLocale(value);

const checkPlaces = (value: Json | undefined): string | null =>
  value === undefined ||
  value === null ||
  (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PLACES)
    ? null
    : `A number has 0 to ${MAX_PLACES} places`;

const checkCurrency = (value: Json | undefined): string | null =>
  value === undefined || (typeof value === 'string' && CURRENCY.test(value))
    ? null
    : 'A currency has three capital letters, as EUR';

export const NUMBER_FILTERS = {
  round: {
    check: ([places]) => checkPlaces(places),
    apply: (value, [places], context) => {
      const { digits, exponent } = roundDecimal(readScaled(value, 'round', context), readPlaces(places) ?? 0);
      return toJsonNumber(formatDecimal(digits, exponent));
    },
  },
  parse_number: {
    check: ([locale]) => checkLocale(locale),
    apply: (value, [locale], context) => {
      if (typeof value === 'number') return value;
      const text = readFilterText(value, context);
      const number = parseLocal(text, readLocale(locale));
      if (number === null) throw new FilterError('The value of parse_number is not a number of its locale');
      const { digits, exponent } = readScaled(number, 'parse_number', context);
      return toJsonNumber(formatDecimal(digits, exponent));
    },
  },
  format_number: {
    check: ([locale, places]) => checkLocale(locale) ?? checkPlaces(places),
    apply: (value, [locale, places], context) =>
      formatLocal(readScaled(value, 'format_number', context), readLocale(locale), readPlaces(places)),
  },
  currency: {
    check: ([code, locale]) => checkCurrency(code) ?? checkLocale(locale),
    apply: (value, [code, locale], context) => {
      const scaled = readScaled(value, 'currency', context);
      const problem = checkCurrency(code);
      if (problem !== null) throw new FilterError(problem);
      const currency = readTextArgument(code, 'currency');
      const format = readLocale(locale);
      return formatCurrency(formatLocal(scaled, format, findCurrencyDigits(currency)), currency, format);
    },
  },
} satisfies Readonly<Record<string, FilterRule>>;
