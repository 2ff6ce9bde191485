/**
 * Numbers as people write them. The separators stand here and are not those of `Intl`, whose data change with the version of Node: a run
 * that is repeated on another worker, and the page, write the same.
 */
import type { ScaledInteger } from '../values/decimal.ts';
import { roundDecimal } from '../values/exact-sum.ts';

interface Locale {
  readonly decimal: string;
  readonly group: string;
  /** Lakhs and crores: after the last three digits groups of two. */
  readonly isIndian: boolean;
  /** The place of the sign of a currency, and of its space. */
  readonly currency: 'before' | 'before_space' | 'after_space';
  /** The language, and where the sign of a currency has the region's short form. */
  readonly name: string;
}

const SPACE = '\u00A0';
const NARROW = '\u202F';

const FORMATS: readonly [names: string, Omit<Locale, 'name' | 'isIndian'>][] = [
  ['en ja zh ko th he', { decimal: '.', group: ',', currency: 'before' }],
  ['en-IN hi', { decimal: '.', group: ',', currency: 'before' }],
  ['de es it el sl ro hr da id vi', { decimal: ',', group: '.', currency: 'after_space' }],
  ['nl tr pt-BR', { decimal: ',', group: '.', currency: 'before_space' }],
  ['de-CH it-CH', { decimal: '.', group: '’', currency: 'before_space' }],
  ['fr', { decimal: ',', group: NARROW, currency: 'after_space' }],
  ['pl cs sk uk ru bg fi sv nb no hu pt lt lv et', { decimal: ',', group: SPACE, currency: 'after_space' }],
];
const INDIAN = 'en-IN hi'.split(' ');

const LOCALES: ReadonlyMap<string, Locale> = new Map(
  FORMATS.flatMap(([names, format]) =>
    names
      .split(' ')
      .map((name): [string, Locale] => [
        name.toLowerCase(),
        { ...format, name, isIndian: INDIAN.includes(name) },
      ]),
  ),
);

/** Finds the format of a locale (`de-CH`), or that of its language; null for one that has none here. */
export function findLocale(name: string): Locale | null {
  const lower = name.toLowerCase().replaceAll('_', '-');
  return LOCALES.get(lower) ?? LOCALES.get(lower.split('-')[0] ?? '') ?? null;
}

const SIGNS: Readonly<Record<string, string>> = {
  EUR: '€',
  USD: '$',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  KRW: '₩',
  BRL: 'R$',
  PLN: 'zł',
  CZK: 'Kč',
  UAH: '₴',
  ILS: '₪',
  TRY: '₺',
  VND: '₫',
};
/** Currencies (ISO 4217) without two digits after the point. */
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

export function findCurrencyDigits(code: string): number {
  if (NO_DIGITS.includes(code)) return 0;
  return THREE_DIGITS.includes(code) ? 3 : 2;
}

function groupDigits(whole: string, { group, isIndian }: Locale): string {
  const pattern = isIndian ? /(?<=\d)(?=(?:\d{2})*\d{3}$)/g : /(?<=\d)(?=(?:\d{3})+$)/g;
  return whole.replaceAll(pattern, group);
}

/** Writes a number. @param places digits after the point; null: as many as it has */
export function formatLocal(number: ScaledInteger, locale: Locale, places: number | null): string {
  const { digits, exponent } =
    places === null ? roundDecimal(number, Math.max(0, -number.exponent)) : roundDecimal(number, places);
  const text = (digits < 0n ? -digits : digits).toString().padStart(1 - exponent, '0');
  const cut = exponent === 0 ? text.length : exponent;
  const [whole, written] = [text.slice(0, cut), exponent === 0 ? '' : text.slice(cut)];
  const fraction = places === null ? written.replace(/0+$/, '') : written;
  const point = fraction === '' ? '' : `${locale.decimal}${fraction}`;
  return `${digits < 0n ? '-' : ''}${groupDigits(whole, locale)}${point}`;
}

/** Puts the sign of a currency, or its code, to a written number. */
export function formatCurrency(number: string, code: string, locale: Locale): string {
  const sign = SIGNS[code] ?? code;
  if (locale.currency === 'after_space') return `${number}${SPACE}${sign}`;
  const minus = number.startsWith('-') ? '-' : '';
  const space = locale.currency === 'before_space' || sign.length > 2 ? SPACE : '';
  return `${minus}${sign}${space}${number.slice(minus.length)}`;
}

/** A sign, and a currency in up to four characters before it or behind it. */
const NUMBER = /^([-+\u2212]?)\s*(?:[\p{Sc}\p{L}]{1,4}\.?\s*)?([-+\u2212]?)\s*(.*)$/u;
/** Longer texts are no numbers of people. */
const MAX_CHARS = 100;

/** Reads a number with the separators of a locale, with or without a currency; null for any other text. @returns digits for `readDecimal` */
export function parseLocal(text: string, { decimal, group }: Locale): string | null {
  if (text.length > MAX_CHARS) return null;
  const bare = text.trim();
  const inBrackets = /^\((.*)\)$/.exec(bare)?.[1];
  const [, first = '', second = '', number = ''] = NUMBER.exec(inBrackets ?? bare) ?? [];
  const rest = number.replace(/\s*[\p{Sc}\p{L}]{1,4}\.?$/u, '');
  const [whole = '', fraction, ...more] = rest.split(decimal);
  const isSpaced = /[\s’']/u.test(group);
  const parts = whole.split(isSpaced ? /[\s’']/u : group);
  const isGrouped =
    parts.length === 1 || (/^\d{1,3}$/.test(parts[0] ?? '') && /^\d{3}$/.test(parts.at(-1) ?? ''));
  const isWhole = isGrouped && parts.every((part, at) => (at === 0 ? /^\d+$/ : /^\d{2,3}$/).test(part));
  if (!isWhole || more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null;
  const isMinus = /[-\u2212]/.test(first + second);
  const isNegative = isMinus !== (inBrackets !== undefined);
  return `${isNegative ? '-' : ''}${parts.join('')}${fraction === undefined ? '' : `.${fraction}`}`;
}
