/**
 * Whether a text holds another, in linear time. `String.prototype.includes` is quick for what people search for, and
 * quadratic for some long needles: one of 250,000 letters in a megabyte takes it forty seconds.
 */
import type { WorkBudget } from './work-budget.ts';

/** Up to this length the engine's own search costs 5 ns a character at the worst. */
const SHORT_NEEDLE = 32;
/** Characters that are searched in one step of work. */
const CHARS_PER_STEP = 4;
/** A comparison of two characters takes a sixth of a nanosecond. */
const COMPARISONS_PER_STEP = 128;

/** Steps of work that the engine's own search takes at the worst: each character may be compared with the whole needle. */
export const countSearchSteps = (chars: number, needle: number): number =>
  1 + (Math.max(0, chars) * (needle + 8)) / COMPARISONS_PER_STEP;

/** True if `part` is found in `whole`. @throws WorkLimitExceeded */
export function containsText(whole: string, part: string, work: WorkBudget): boolean {
  if (part.length > whole.length) return false;
  if (part.length <= SHORT_NEEDLE) {
    work.spend(countSearchSteps(whole.length, part.length));
    return whole.includes(part);
  }
  work.spend((whole.length + part.length) / CHARS_PER_STEP);
  return includesLong(whole, part);
}

/** The search of Knuth, Morris and Pratt: no character of the text is looked at twice. */
function includesLong(whole: string, part: string): boolean {
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < whole.length; at += 1) {
    const code = whole.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}

/** For each prefix of a text the length of the longest other prefix that it ends with. */
function bordersOf(text: string): Int32Array {
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
