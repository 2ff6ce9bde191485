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
