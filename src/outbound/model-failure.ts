/** Failures of model providers as NodeErrors: status, category and the provider's own sentence, without any secret. */
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai';
import { shortenText } from '../graph/cut-text.ts';
import { scrub } from '../log.ts';
import { NodeError } from '../nodes/kind.ts';
import { retryAfterMs, retryableStatus } from '../nodes/failure.ts';
import { notConnected } from './guarded-agent.ts';

const MAX_MESSAGE = 300;
/** Keys that providers quote, whole or in part: `sk-proj-ab***yz`. */
const QUOTED_KEY = /(?<!\w)(?:sk|pk|rk|key)-[\w*.-]{4,}/gi;

/** A provider's sentence with every key struck out of it. */
function harmless(text: string, secrets: readonly string[]): string {
  const without = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const plain = scrub(without).replaceAll(QUOTED_KEY, '***').replaceAll(/\s+/g, ' ').trim();
  return shortenText(plain, MAX_MESSAGE);
}

function causeOf(error: unknown, is: (cause: unknown) => boolean): Error | null {
  for (let at = error, depth = 0; depth < 5 && at instanceof Error; at = at.cause, depth += 1)
    if (is(at)) return at;
  return null;
}

/** Failures that guardedFetch names itself, and that no repetition mends. */
const isFinal = (cause: unknown): boolean =>
  cause instanceof NodeError &&
  (cause.code === 'response_too_large' || cause.code === 'response_not_decodable');

/** True for an answer, or a chunk of one, that is not what its protocol says. */
export const isMalformed = (error: unknown): boolean =>
  JSONParseError.isInstance(error) ||
  TypeValidationError.isInstance(error) ||
  InvalidResponseDataError.isInstance(error);

/** The sentence of an error that came inside a stream: providers send `{message}`, `{error: {message}}` or text. */
function streamedMessage(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return 'unknown error';
  const { message } = error as { message?: unknown };
  return typeof message === 'string' ? message : 'unknown error';
}

/**
 * What a failed model call is for the node. The original error is not kept as the cause: it holds prompts, headers
 * and provider bodies.
 * @param secrets the key that was sent, so that an echo of it is struck out
 */
export function modelFailure(error: unknown, secrets: readonly string[]): NodeError {
  if (error instanceof NodeError) return error;
  const final = causeOf(error, isFinal);
  if (final instanceof NodeError) return final;
  const before = notConnected(error);
  if (before !== null) {
    const code = before.refused ? 'destination_not_allowed' : 'model_error';
    return new NodeError(code, before.message, { retryable: !before.refused });
  }
  if (causeOf(error, isMalformed) !== null) {
    return new NodeError(
      'provider_response_invalid',
      'The model provider sent an answer that cannot be read',
    );
  }
  if (APICallError.isInstance(error)) {
    const status = error.statusCode;
    if (status === undefined || status < 300) {
      return new NodeError('model_error', 'The connection to the model provider failed', { retryable: true });
    }
    const wait = retryAfterMs(error.responseHeaders);
    return new NodeError(
      'model_error',
      `The model provider answered ${status}: ${harmless(error.message, secrets)}`,
      {
        status,
        retryable: retryableStatus(status),
        ...(wait === null ? {} : { retryAfterMs: wait }),
      },
    );
  }
  if (error instanceof Error) {
    return new NodeError('model_error', 'The connection to the model provider failed', { retryable: true });
  }
  return new NodeError(
    'model_error',
    `The model provider failed: ${harmless(streamedMessage(error), secrets)}`,
    {
      retryable: true,
    },
  );
}
