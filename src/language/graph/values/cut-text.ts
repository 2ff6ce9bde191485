/** Cuts texts to a length without splitting surrogate pairs: PostgreSQL rejects half of one. */

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** True when a cut at this index would split a surrogate pair. */
const splits = (text: string, at: number): boolean =>
  isFirstHalf(text.charCodeAt(at - 1)) && isSecondHalf(text.charCodeAt(at));

/** The beginning of a text: at most `max` UTF-16 units, whole characters only. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, splits(text, max) ? max - 1 : max);
}

/** Cuts a part out of a text, as `slice` of a string does; a character that a bound would split is left out. */
export function sliceText(text: string, start: number, end: number | undefined): string {
  const from = start < 0 ? Math.max(0, text.length + start) : Math.min(start, text.length);
  const to =
    end === undefined ? text.length : end < 0 ? Math.max(0, text.length + end) : Math.min(end, text.length);
  return to <= from ? '' : text.slice(splits(text, from) ? from + 1 : from, splits(text, to) ? to - 1 : to);
}

/** As `cutText`, with an ellipsis when something is missing. */
export const shortenText = (text: string, max: number): string =>
  text.length > max ? `${cutText(text, max)}…` : text;

/** Characters of a key in a path that people read. */
const MAX_KEY = 200;

/** Shortens the keys of a path. */
export const shortenKeys = <Key extends string | number>(path: readonly Key[]): (Key | string)[] =>
  path.map((key) => (typeof key === 'string' ? shortenText(key, MAX_KEY) : key));

/** The end of a text: at most `max` UTF-16 units, whole characters only. */
export function cutTextStart(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = text.length - max;
  return text.slice(splits(text, from) ? from + 1 : from);
}
