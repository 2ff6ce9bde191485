/** Merges two edits of one text, and says whether an edit survived another: three versions of a text, compared by character. */
import { diff } from '@codemirror/merge';

/** Bounds the comparison of two large texts that have little in common. */
const DIFF_LIMITS = { scanLimit: 500, timeout: 200 };

/** Replaces `from` to `to` of the base text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The smallest changes from one text to another. */
export const findDifferences = (from: string, to: string): TextChange[] =>
  diff(from, to, DIFF_LIMITS).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: to.slice(fromB, toB),
  }));

const isWord = (text: string): boolean => /^[\p{L}\p{N}_]*$/u.test(text);

/** Changes from `base` to `text`. Widens deletions to whole words, so that merges never split one. */
function findChanges(base: string, text: string): TextChange[] {
  const found: { fromA: number; toA: number; fromB: number; toB: number }[] = [];
  for (const { fromA, toA, fromB, toB } of diff(base, text, DIFF_LIMITS)) {
    const last = found.at(-1);
    const deletes = fromA < toA || (last !== undefined && last.fromA < last.toA);
    if (last !== undefined && deletes && isWord(base.slice(last.toA, fromA)))
      Object.assign(last, { toA, toB });
    else found.push({ fromA, toA, fromB, toB });
  }
  return found.map(({ fromA, toA, fromB, toB }) => {
    let [left, right] = [0, 0];
    if (fromA < toA) {
      while (fromA > left && isWord(base.slice(fromA - left - 1, fromA))) left += 1;
      while (toA + right < base.length && isWord(base.slice(toA, toA + right + 1))) right += 1;
    }
    return { from: fromA - left, to: toA + right, insert: text.slice(fromB - left, toB + right) };
  });
}

const isSame = (one: TextChange, other: TextChange): boolean =>
  one.from === other.from && one.to === other.to && one.insert === other.insert;

/** Whether both change the same characters, or one writes inside what the other replaces. */
function collide(one: TextChange, other: TextChange): boolean {
  if (one.from === one.to) return other.from < one.from && one.from < other.to;
  if (other.from === other.to) return one.from < other.from && other.from < one.to;
  return one.from < other.to && other.from < one.to;
}

/** Removes from an own change the beginning that theirs has already made: typing that had arrived before. */
function subtract(own: TextChange, theirs: readonly TextChange[]): TextChange {
  const begun = theirs.find(
    ({ from, to, insert }) => from === own.from && to === own.to && own.insert.startsWith(insert),
  );
  return begun === undefined
    ? own
    : { from: own.to, to: own.to, insert: own.insert.slice(begun.insert.length) };
}

/**
 * Merges two edits of `base`.
 * @param isApart refuses two insertions at one place, too: side by side they would be no value (JSON)
 * @returns the text with both edits, theirs first where both insert; null when both changed the same place
 */
export function mergeTexts(base: string, mine: string, theirs: string, isApart: boolean): string | null {
  const added = findChanges(base, theirs);
  const own = findChanges(base, mine)
    .filter((change) => !added.some((other) => isSame(change, other)))
    .map((change) => subtract(change, added));
  for (const change of own)
    for (const other of added) {
      const isOnePlace = change.from === change.to && other.from === other.to && change.from === other.from;
      if (collide(change, other) || (isApart && isOnePlace)) return null;
    }
  // At one place: an insertion before what replaces text behind it, and theirs before mine.
  const all = [...added, ...own].toSorted((a, b) => a.from - b.from || a.to - b.to);
  let merged = '';
  let at = 0;
  for (const { from, to, insert } of all) {
    merged += base.slice(at, from) + insert;
    at = Math.max(at, to);
  }
  return merged + base.slice(at);
}

/** Whether most of what turned `base` into `mine` is still in `theirs`. */
export function survives(base: string, mine: string, theirs: string): boolean {
  let [written, lost] = [0, 0];
  const deletions = diff(mine, theirs, DIFF_LIMITS);
  for (const { fromB: from, toB: to } of diff(base, mine, DIFF_LIMITS)) {
    written += to - from;
    for (const { fromA, toA } of deletions) lost += Math.max(0, Math.min(to, toA) - Math.max(from, fromA));
  }
  return lost * 2 <= written;
}
