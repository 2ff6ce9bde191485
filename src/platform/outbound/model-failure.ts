/** Converts errors of model providers to NodeErrors with the status and the provider's message, without secrets. */
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai';
import { shortenText } from '../../language/graph/values/cut-text.ts';
import { scrub } from '../../base/scrub.ts';
import { toStorableText } from '../../language/graph/values/storable.ts';
import { toErrorResponse, type ErrorResponse } from '../../language/nodes/error-response.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import { retryAfterMs, isRetryableStatus } from '../../language/nodes/failure.ts';
import { findCause } from './find-cause.ts';
import { findNotConnected } from './guarded-agent.ts';

const MAX_MESSAGE = 300;
/** Keys that providers quote in full or in part, such as `sk-proj-ab***yz`. */
const QUOTED_KEY = /(?<!\w)(?:sk|pk|rk|key)-[\w*.-]{4,}/gi;

/** Removes every key from a provider's message. */
function redactMessage(text: string, secrets: readonly string[]): string {
  const without = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const plain = scrub(without).replaceAll(QUOTED_KEY, '***').replaceAll(/\s+/g, ' ').trim();
  return shortenText(plain, MAX_MESSAGE);
}

/** Builds the response of a provider's error; `redactMessage` keeps less, because it is one line. */
function toProviderResponse(error: APICallError, status: number): ErrorResponse {
  const text = scrub(error.responseBody ?? '').replaceAll(QUOTED_KEY, '***');
  return toErrorResponse({ status, headers: error.responseHeaders ?? {}, text: toStorableText(text) });
}

/** Errors of guardedFetch that a retry cannot fix. */
const isFinal = (cause: Error): cause is NodeError =>
  cause instanceof NodeError &&
  (cause.code === 'response_too_large' || cause.code === 'response_not_decodable');

/** True for a response or chunk that violates its protocol. */
export const isMalformed = (error: unknown): error is Error =>
  JSONParseError.isInstance(error) ||
  TypeValidationError.isInstance(error) ||
  InvalidResponseDataError.isInstance(error);

/** Providers send errors inside a stream as `{message}` or text. */
function readStreamedMessage(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return 'unknown error';
  const { message } = error as { message?: unknown };
  return typeof message === 'string' ? message : 'unknown error';
}

/**
 * Converts the error of a model call. The original is not kept as the cause, because it contains prompts, headers and
 * provider bodies.
 * @param secrets the sent key, to be removed from messages that echo it
 * @param isOwn the account is the organization's: only then it may read the answer, which names the account
 */
export function toModelFailure(error: unknown, secrets: readonly string[], isOwn: boolean): NodeError {
  if (error instanceof NodeError) return error;
  const final = findCause(error, isFinal);
  if (final instanceof NodeError) return final;
  const before = findNotConnected(error);
  if (before !== null) {
    const code = before.refused ? 'destination_not_allowed' : 'model_error';
    return new NodeError(code, before.message, { retryable: !before.refused });
  }
  if (findCause(error, isMalformed) !== null) {
    return new NodeError('provider_response_invalid', 'The model provider sent an invalid response');
  }
  if (APICallError.isInstance(error)) {
    const status = error.statusCode;
    if (status === undefined || status < 300) {
      return new NodeError('model_error', 'The connection to the model provider failed', { retryable: true });
    }
    const wait = retryAfterMs(error.responseHeaders);
    return new NodeError(
      'model_error',
      `The model provider responded with HTTP ${status}: ${redactMessage(error.message, secrets)}`,
      {
        status,
        retryable: isRetryableStatus(status),
        retryAfterMs: wait,
        response: isOwn ? toProviderResponse(error, status) : null,
      },
    );
  }
  if (error instanceof Error) {
    return new NodeError('model_error', 'The connection to the model provider failed', { retryable: true });
  }
  return new NodeError(
    'model_error',
    `The model provider failed: ${redactMessage(readStreamedMessage(error), secrets)}`,
    {
      retryable: true,
    },
  );
}
