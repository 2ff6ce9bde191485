/**
 * Counts tokens in the encoding of common embedding models (cl100k_base); for other models the count is an estimate.
 */
import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/cl100k_base';

/** The encoder is quadratic in the length of an unbroken run: 20,000 times "a" takes most of a second. */
const MAX_RUN = 500;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}|\\s{${MAX_RUN}}`, 'gu');
/** Text that looks like a control token is counted as text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Counts a run of more than 500 characters in pieces, which is slightly too high. */
export function countTokens(text: string): number {
  let count = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const to = run.index + run[0].length;
    count += countEncoded(text.slice(from, to), AS_TEXT);
    from = to;
  }
  return count + countEncoded(from === 0 ? text : text.slice(from), AS_TEXT);
}
