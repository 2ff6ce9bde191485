/** Learns how many texts an endpoint accepts per request from its errors, and remembers it. */
import { APICallError } from 'ai';
import { LRUCache } from 'lru-cache';
import { callEmbeddingModel } from './embedding-call.ts';
import type { EmbeddingEndpoint } from './embedding-call.ts';
import type { EmbeddingResult, EmbeddingRequest } from './embedding-port.ts';
import { NodeError } from '../../language/nodes/kind.ts';

/** Endpoints whose batch size is remembered; a forgotten one costs another rejected request. */
const MAX_REMEMBERED = 1_000;

/** Matches errors about the batch size, for which providers have no common code; others are not retried with fewer texts. */
const SIZE_REJECTED = /batch|too (?:many|large|big|long)|at most|maximum|larger than|exceed|limit/i;
/** Matches the limit that an error message states. */
const LIMIT_NAMED = /(?:batch size|max(?:imum)?|at most|than|up to|exceeds?|limit)\D{0,40}?(\d{1,4})(?!\d)/gi;

/** Limits of real endpoints, tried when the error states none. */
const KNOWN_LIMITS = [32, 25, 16, 10, 5, 1];
const nextBelow = (size: number): number => KNOWN_LIMITS.find((limit) => limit < size) ?? 1;

/** @returns the next batch size after an error; null when the error is not about the size */
function reduceBatch(error: unknown, size: number): number | null {
  if (size === 1) return null;
  if (error instanceof NodeError) return error.code === 'response_too_large' ? nextBelow(size) : null;
  if (!APICallError.isInstance(error)) return null;
  const { statusCode, message } = error;
  const isRefused =
    statusCode === 413 || ((statusCode === 400 || statusCode === 422) && SIZE_REJECTED.test(message));
  if (!isRefused) return null;
  const named = [...message.matchAll(LIMIT_NAMED)]
    .map(([, number]) => Number(number))
    .filter((number) => number > 0 && number < size);
  return named.length > 0 ? Math.max(...named) : nextBelow(size);
}

/** Batch sizes of this process, by account and model. */
export class EmbeddingBatches {
  readonly #sizes = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Embeds as many of the first texts as the endpoint accepts. @throws as `callEmbeddingModel` */
  async embedFirst(endpoint: EmbeddingEndpoint, request: EmbeddingRequest): Promise<EmbeddingResult> {
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
        const smaller = reduceBatch(error, size);
        if (smaller === null) {
          // A single rejected text was the cause of the earlier errors, not the batch size.
          if (size === 1 && APICallError.isInstance(error)) this.#sizes.delete(key);
          throw error;
        }
        size = smaller;
      }
    }
  }
}
