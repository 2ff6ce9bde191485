/** Dates in sheets: numbers of days that only the format of their cell tells from other numbers. */
import type { XmlElement } from './xml-tree.ts';

type DateKind = 'date' | 'time' | 'date_time';

/** The formats that every workbook has (ECMA-376 part 1, 18.8.30), those of East Asia too. */
const BUILT_IN: ReadonlyMap<number, DateKind> = new Map([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id): [number, DateKind] => [
    id,
    'date',
  ]),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id): [number, DateKind] => [id, 'time']),
  [22, 'date_time'],
]);

/** The parts of a format that are no place of a date: literal texts, colours and conditions, spaces and fillers. */
const LITERAL = /"[^"]*"|\\.|\[[^\]]*\]|[_*]./g;
/** Hours beyond a day: an amount, not a time. */
const ELAPSED = /\[[hms]+\]/i;

/** Tells what a format writes; null for a number. */
export function readFormat(code: string): DateKind | null {
  const [first = ''] = code.split(';');
  if (ELAPSED.test(first)) return null;
  const bare = first.replaceAll(LITERAL, '').replace(/general/i, '');
  const hasTime = /[hs]/i.test(bare);
  const hasDate = /[yd]/i.test(bare) || (/m/i.test(bare) && !hasTime);
  if (hasDate) return hasTime ? 'date_time' : 'date';
  return hasTime ? 'time' : null;
}

const DAY_MS = 86_400_000;
const SECONDS_PER_DAY = 86_400;
/** 1900 was no leap year, but is one in sheets: before March days are counted from a day later. */
const FIRST_OF_MARCH = 61;
/** The 31st of December 9999. */
const LAST_DAY = 2_958_465;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** Writes a number of days as ISO 8601 without an offset; null for a number that is no date. */
export function formatDays(days: number, kind: DateKind, isFrom1904: boolean): string | null {
  if (!(days >= 0 && days <= LAST_DAY)) return null;
  const seconds = Math.round(days * SECONDS_PER_DAY);
  const shift = !isFrom1904 && days < FIRST_OF_MARCH ? 1 : 0;
  const epoch = (isFrom1904 ? EPOCH_1904 : EPOCH_1900) + shift * DAY_MS;
  const [date = '', time = ''] = new Date(epoch + seconds * 1_000).toISOString().slice(0, 19).split('T');
  if (kind === 'time' && days < 1) return time;
  return kind === 'date' && time === '00:00:00' ? date : `${date}T${time}`;
}

/** Formats the numbers of dates, by the index of their cell's style. */
export type DateStyles = (style: number, days: number) => string | null;

/** Reads which styles of a workbook are dates. */
export function readDateStyles(root: XmlElement | null, isFrom1904: boolean): DateStyles {
  const find = (parent: XmlElement | null, name: string): XmlElement[] =>
    (parent?.children ?? []).filter(
      (child): child is XmlElement => typeof child !== 'string' && child.name.replace(/^.*:/, '') === name,
    );
  const own = new Map(
    find(find(root, 'numFmts')[0] ?? null, 'numFmt').map(({ attributes: { numFmtId, formatCode = '' } }) => [
      Number(numFmtId),
      readFormat(formatCode),
    ]),
  );
  const kinds = find(find(root, 'cellXfs')[0] ?? null, 'xf').map(({ attributes: { numFmtId } }) => {
    const id = Number(numFmtId);
    return own.has(id) ? own.get(id) : BUILT_IN.get(id);
  });
  return (style, days) => {
    const kind = kinds[style] ?? null;
    return kind === null ? null : formatDays(days, kind, isFrom1904);
  };
}
