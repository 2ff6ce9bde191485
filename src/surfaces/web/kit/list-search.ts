/** The filters of a list as they stand in its address: what an address may hold is read, and the rest is left out. */

/** Hours of each period that can be chosen. */
const HOURS = { hour: 1, day: 24, week: 168, month: 720 } as const;
export type RecentPeriod = keyof typeof HOURS;
export const PERIODS = Object.keys(HOURS) as RecentPeriod[];

/** A period that ends now, or two moments. */
export interface TimeSearch<Periods extends string = RecentPeriod> {
  /** Counted back from now. */
  readonly period?: Periods | undefined;
  /** Local date and time, as `datetime-local` writes it; excludes `period`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/** @returns undefined for what is no text, or not a valid one */
export function readValidText(
  search: Given,
  name: string,
  isValid: (text: string) => boolean,
): string | undefined {
  // The router reads a text of digits as a number.
  const value = typeof search[name] === 'number' ? String(search[name]) : search[name];
  return typeof value === 'string' && isValid(value) ? value : undefined;
}

export const readChoice = <Choice extends string>(
  search: Given,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === search[name]);

const isLocalTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text));

/** A period excludes moments. */
export function readTime<Periods extends string>(
  search: Given,
  periods: readonly Periods[],
): TimeSearch<Periods> {
  const period = readChoice(search, 'period', periods);
  if (period !== undefined) return { period };
  return { from: readValidText(search, 'from', isLocalTime), to: readValidText(search, 'to', isLocalTime) };
}

/** An address has no filter without a value. */
export const omitUndefined = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

const toInstant = (local: string): string => new Date(local).toISOString();

/** Writes a time as `from` and `to` of a query. */
export function toTimeQuery({ period, from, to }: TimeSearch, nowMs: number) {
  const since = period === undefined ? undefined : new Date(nowMs - HOURS[period] * 3_600_000).toISOString();
  return {
    ...(since === undefined ? {} : { from: since }),
    ...(from === undefined ? {} : { from: toInstant(from) }),
    ...(to === undefined ? {} : { to: toInstant(to) }),
  };
}
