/**
 * How many tokens a text costs, counted with the encoding of the widespread embedding models (cl100k_base). For other
 * models it is an estimate.
 */
import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/cl100k_base';

/** The encoder takes the square of an unbroken run's length: 20,000 times "a" would take it most of a second. */
const MAX_RUN = 500;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}|\\s{${MAX_RUN}}`, 'gu');
/** What looks like a model's control token is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Takes any text. The count of an unbroken run over 500 characters is that of its pieces, a little too high. */
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
