/** Prices of managed usage. Usage with the caller's own provider account (BYOK) is free (SPEC API-credits). */
import { MILLICREDITS } from './plans.ts';

/** Credits per 1,000 tokens, which is millicredits per token. */
interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

const GENERATION: TokenPrice = { input: 1, output: 3 };

const EMBEDDING: TokenPrice = { input: 0.1, output: 0 };

/** The price of a managed knowledge search, independent of its results (SPEC API-credits). */
export const SEARCH_MC = MILLICREDITS;

/**
 * The reservation for work of unknown cost. The settlement charges the actual usage, which may be more: the reservation only
 * keeps an organization without credits from starting work.
 */
export const RESERVATION_MC = MILLICREDITS;

/**
 * Computes the price of tokens in whole millicredits, rounded up.
 * @param kind of usage: `embedding`, or what generates text: a type of node, or a feature outside of runs
 */
export function computeTokenPrice(
  kind: string,
  tokens: { readonly input_tokens: number; readonly output_tokens: number },
): number {
  const price = kind === 'embedding' ? EMBEDDING : GENERATION;
  return Math.ceil(tokens.input_tokens * price.input + tokens.output_tokens * price.output);
}
