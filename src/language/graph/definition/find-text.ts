/**
 * Searches for a substring, or replaces it, in linear time. `String.prototype.includes` is quadratic for some long needles: 250,000
 * characters in a text of 1 MB can take 40 seconds.
 */
import type { WorkBudget } from '../values/work-budget.ts';

/** Up to this length `includes` costs at most 5 ns per character. */
const SHORT_NEEDLE = 32;
/** Characters per step of work. */
const CHARS_PER_STEP = 4;
/** A comparison of two characters takes about 0.17 ns. */
const COMPARISONS_PER_STEP = 128;

/** Worst-case steps of `includes` and `indexOf`: each character is compared with the whole needle. */
export const countSearchSteps = (chars: number, needle: number): number =>
  1 + (Math.max(0, chars) * (needle + 8)) / COMPARISONS_PER_STEP;

/** True if `whole` contains `part`. @throws WorkLimitExceeded */
export function containsText(whole: string, part: string, work: WorkBudget): boolean {
  if (part.length > whole.length) return false;
  if (part.length <= SHORT_NEEDLE) {
    work.spend(countSearchSteps(whole.length, part.length));
    return whole.includes(part);
  }
  work.spend((whole.length + part.length) / CHARS_PER_STEP);
  return findLong(whole, part, { borders: computeBorders(part), from: 0 }) >= 0;
}

/** Replaces each occurrence of `part`, as `String.prototype.replaceAll` does with a plain text. @throws WorkLimitExceeded */
export function replaceText(
  whole: string,
  { part, by }: { readonly part: string; readonly by: string },
  work: WorkBudget,
): string {
  if (part.length > whole.length) return whole;
  if (part.length <= SHORT_NEEDLE) {
    work.spend(countSearchSteps(whole.length, part.length));
    return whole.replaceAll(part, () => by);
  }
  work.spend((whole.length + part.length) / CHARS_PER_STEP);
  const borders = computeBorders(part);
  const kept: string[] = [];
  let from = 0;
  for (let at = findLong(whole, part, { borders, from }); at >= 0;) {
    kept.push(whole.slice(from, at));
    from = at + part.length;
    at = findLong(whole, part, { borders, from });
  }
  return from === 0 ? whole : [...kept, whole.slice(from)].join(by);
}

/** Knuth–Morris–Pratt search. @returns the index of the first occurrence from `from` on; -1: none */
function findLong(
  whole: string,
  part: string,
  { borders, from }: { readonly borders: Int32Array; readonly from: number },
): number {
  let matched = 0;
  for (let at = from; at < whole.length; at += 1) {
    const code = whole.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched += 1;
    if (matched === part.length) return at - part.length + 1;
  }
  return -1;
}

/** The prefix function: for each prefix, the length of its longest proper prefix that is also its suffix. */
function computeBorders(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length += 1;
    borders[at] = length;
  }
  return borders;
}
