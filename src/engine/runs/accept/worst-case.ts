/** The most that one call of a model may use: budgets reserve it, and sheets tell it. */
import { computeTokenPrice } from '../../../platform/billing/prices.ts';
import { countTokens } from '../../../platform/knowledge/extraction/tokens.ts';
import type { ModelRequest } from '../../../language/nodes/tools.ts';

/** Tokens that a provider adds around each message or tool; a guess above those of known providers. */
const TOKENS_PER_PART = 16;
/** Above this many characters a prompt counts a token per byte, the most there can be: to encode it would stop the process for long. */
const MAX_ENCODED = 200_000;

/** The parts of a request by which its input is counted. */
type CountedInput = Pick<ModelRequest, 'messages' | 'turns' | 'offer' | 'responseFormat'>;

/** Counts the most tokens that a request may have as input. */
export function countInput({ messages, turns = [], offer, responseFormat }: CountedInput): number {
  const tools = offer?.tools ?? [];
  const text = JSON.stringify([messages, turns, tools, responseFormat]);
  const parts =
    1 + messages.length + tools.length + turns.reduce((sum, { calls }) => sum + 2 + calls.length, 0);
  const tokens = text.length > MAX_ENCODED ? Buffer.byteLength(text) : countTokens(text);
  return tokens + parts * TOKENS_PER_PART;
}

/** The account and the tokens of a call. */
interface CountedCall {
  /** A credential of the organization is not charged. Null: the managed model. */
  readonly credentialId: string | null;
  readonly inputTokens: number;
  /** Null: the limit of the service. */
  readonly maxOutputTokens: number | null;
}

/**
 * Computes the most that a call may be charged, in millicredits.
 * @param kind type of the node @param service its limit of output tokens
 */
export const computeWorstCase = (
  kind: string,
  { credentialId, inputTokens, maxOutputTokens }: CountedCall,
  service: { readonly maxOutputTokens: number },
): number =>
  credentialId === null
    ? computeTokenPrice(kind, {
        input_tokens: inputTokens,
        output_tokens: maxOutputTokens ?? service.maxOutputTokens,
      })
    : 0;
