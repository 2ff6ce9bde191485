/** Prices of managed usage. Usage with the caller's own provider account (BYOK) is free (SPEC API-credits). */
import { MILLICREDITS } from './plans.ts';

/** Credits per 1,000 tokens, which is millicredits per token. */
interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

const GENERATION: TokenPrice = { input: 1, output: 3 };

/** Prices by kind of usage: the types of nodes that call models, and the features outside of runs. */
const TOKEN_PRICES = {
  llm: GENERATION,
  agent: GENERATION,
  conditional: GENERATION,
  guardrails: GENERATION,
  composer: GENERATION,
  assistant: GENERATION,
  embedding: { input: 0.1, output: 0 },
} as const satisfies Record<string, TokenPrice>;
type MeteredKind = keyof typeof TOKEN_PRICES;

/** The price of a managed knowledge search, independent of its results (SPEC API-credits). */
export const SEARCH_MC = MILLICREDITS;

/**
 * The reservation for work of unknown cost. The settlement charges the actual usage, which may be more: the reservation only
 * keeps an organization without credits from starting work.
 */
export const RESERVATION_MC = MILLICREDITS;

/** Computes the price of tokens in whole millicredits, rounded up. Unknown kinds have the price of generation. */
export function computeTokenPrice(
  kind: string,
  tokens: { readonly input_tokens: number; readonly output_tokens: number },
): number {
  const price = Object.hasOwn(TOKEN_PRICES, kind) ? TOKEN_PRICES[kind as MeteredKind] : GENERATION;
  return Math.ceil(tokens.input_tokens * price.input + tokens.output_tokens * price.output);
}
