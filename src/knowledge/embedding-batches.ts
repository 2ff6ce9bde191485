/** How many texts an endpoint takes at once: its refusals tell, and what they told is remembered. */
import { APICallError } from 'ai';
import { LRUCache } from 'lru-cache';
import { callEmbeddingModel } from './embedding-call.ts';
import type { EmbeddingEndpoint } from './embedding-call.ts';
import type { Embedded, EmbeddingRequest } from './embedding-port.ts';
import { NodeError } from '../nodes/kind.ts';

/** Endpoints whose batch size is remembered; an endpoint that is forgotten is asked again, at the price of a refusal. */
const MAX_REMEMBERED = 1_000;

/** A refusal that is about the size of a batch: others are not asked again. */
const SIZE_REFUSED = /batch|too (?:many|large|big|long)|at most|maximum|larger than|exceed|limit/i;
/** The number that a refusal names as the limit. */
const LIMIT_NAMED = /(?:batch size|max(?:imum)?|at most|than|up to|exceeds?|limit)\D{0,40}?(\d{1,4})(?!\d)/gi;

/** Sizes to try where a refusal names none: the limits that endpoints have. */
const KNOWN_LIMITS = [32, 25, 16, 10, 5, 1];
const nextBelow = (size: number): number => KNOWN_LIMITS.find((limit) => limit < size) ?? 1;

/** How many texts to send in place of `size` after a refusal; null: the refusal is about something else. */
function smallerBatch(error: unknown, size: number): number | null {
  if (size === 1) return null;
  if (error instanceof NodeError) return error.code === 'response_too_large' ? nextBelow(size) : null;
  if (!APICallError.isInstance(error)) return null;
  const { statusCode, message } = error;
  const isRefused =
    statusCode === 413 || ((statusCode === 400 || statusCode === 422) && SIZE_REFUSED.test(message));
  if (!isRefused) return null;
  const named = [...message.matchAll(LIMIT_NAMED)]
    .map(([, number]) => Number(number))
    .filter((number) => number > 0 && number < size);
  return named.length > 0 ? Math.max(...named) : nextBelow(size);
}

/** Of one process: accounts of organizations and the managed one, each with its models. */
export class EmbeddingBatches {
  readonly #sizes = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Sends as many of the texts as the endpoint takes. @throws what `callEmbeddingModel` throws */
  async embedFirst(endpoint: EmbeddingEndpoint, request: EmbeddingRequest): Promise<Embedded> {
    const { organizationId, texts, model, signal } = request;
    const account = model.credentialId === null ? 'managed' : `${organizationId} ${model.credentialId}`;
    const key = `${account} ${model.model}`;
    let size = Math.min(texts.length, this.#sizes.get(key) ?? texts.length);
    for (let isRefused = false; ; isRefused = true) {
      try {
        const embedded = await callEmbeddingModel(endpoint, { model, texts: texts.slice(0, size), signal });
        if (isRefused) this.#sizes.set(key, size);
        return embedded;
      } catch (error) {
        const smaller = smallerBatch(error, size);
        if (smaller === null) {
          // A text that is refused alone was the reason for the refusals before, not the number.
          if (size === 1 && APICallError.isInstance(error)) this.#sizes.delete(key);
          throw error;
        }
        size = smaller;
      }
    }
  }
}
