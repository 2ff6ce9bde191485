/**
 * Counts tokens in the encoding of common embedding models (cl100k_base); for other models the count is an estimate.
 */
import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/cl100k_base';

/** Characters without a boundary that are encoded together: the encoder is quadratic in them, 20,000 times "a" takes most of a second. */
const MAX_RUN = 500;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}|\\s{${MAX_RUN}}`, 'gu');
/** Counts a text that looks like a control token, such as `<|endoftext|>`, as text: the encoder would throw. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Counts the tokens of a text; slightly too many where it has more than 500 characters without a boundary. */
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
