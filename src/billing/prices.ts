/** What managed usage costs. The caller's own provider accounts (BYOK) cost nothing (SPEC API-credits). */
import { MILLICREDITS } from './plans.ts';

/** Credits per 1,000 tokens, which is millicredits per token. */
interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

const GENERATION: TokenPrice = { input: 1, output: 3 };

/** By what used the tokens: the types of nodes that call models, and the surfaces beside runs. */
const TOKEN_PRICES = {
  llm: GENERATION,
  agent: GENERATION,
  conditional: GENERATION,
  guardrails: GENERATION,
  composer: GENERATION,
  assistant: GENERATION,
  embedding: { input: 0.1, output: 0 },
} as const satisfies Record<string, TokenPrice>;
export type MeteredKind = keyof typeof TOKEN_PRICES;

/** A managed knowledge search, whatever it finds (SPEC API-credits). */
export const SEARCH_MC = MILLICREDITS;

/**
 * What is held back before any work whose cost is not known yet. Its end charges what was used, be it less or more:
 * the reservation is what keeps an exhausted organization from starting, not a ceiling.
 */
export const RESERVATION_MC = MILLICREDITS;

/** The price of tokens in whole millicredits, rounded up. A kind without a price of its own pays that of generation. */
export function tokenCost(
  kind: string,
  tokens: { readonly input_tokens: number; readonly output_tokens: number },
): number {
  const price = Object.hasOwn(TOKEN_PRICES, kind) ? TOKEN_PRICES[kind as MeteredKind] : GENERATION;
  return Math.ceil(tokens.input_tokens * price.input + tokens.output_tokens * price.output);
}
