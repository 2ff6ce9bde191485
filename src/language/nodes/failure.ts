/** Failures of external calls: nothing sent, aborted by a signal, or a status that is worth a retry. */
import { systemClock } from '../../base/clock.ts';
import { NodeError } from './kind.ts';

/**
 * Thrown by the HTTP port when the destination was refused, not resolved or not connected. Only then may an `at_most_once`
 * effect be retried (SPEC REL-effect-classes).
 */
export class NothingSentError extends NodeError {}

/** Codes of calls without an answer: their effect is unknown. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'network_error',
  'timeout',
  'response_too_large',
  'response_not_decodable',
  'redirect_refused',
]);

/** Tells whether a call has failed without an answer, so that its effect is unknown. */
export const hasNoAnswer = (error: unknown): error is NodeError =>
  error instanceof NodeError && NO_ANSWER.has(error.code);

/** Converts the error of an `at_most_once` call: without an answer it is `outcome_unknown`. */
export function toOutcomeUnknown(error: unknown): unknown {
  if (!hasNoAnswer(error)) return error;
  const message = 'The request was sent, but its outcome is unknown, so it is not sent again';
  return new NodeError('outcome_unknown', `${message} (${error.message})`, { cause: error });
}

/**
 * The error of an aborted signal: a retryable NodeError `timeout` for a deadline, else the reason of the signal, which the
 * caller that aborted recognizes.
 */
export function toAbortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new NodeError('timeout', 'The node timed out', { retryable: true, cause: reason });
  }
  return reason instanceof Error ? reason : new NodeError('aborted', 'The call was aborted');
}

/** True for a status that is worth a retry: 408, 425, 429 and 5xx (SPEC DEF-2.13). */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** One hour: the maximum of `Retry-After`. */
const MAX_WAIT_MS = 3_600_000;

/** The date formats of HTTP (RFC 9110, 5.6.7): the preferred one and two obsolete ones, all in UTC. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

function readHttpDate(text: string): number | null {
  if (!HTTP_DATES.some((form) => form.test(text))) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}

/** Reads `Retry-After` (RFC 9110: seconds or a date) in milliseconds; null when it is missing or invalid. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  now = systemClock.now(),
): number | null {
  const text = headers?.['retry-after']?.trim() ?? '';
  const date = readHttpDate(text);
  const wait = /^\d+(?:\.\d+)?$/.test(text)
    ? Math.ceil(Number(text) * 1000)
    : date === null
      ? null
      : date - now;
  return wait === null ? null : Math.min(Math.max(0, wait), MAX_WAIT_MS);
}
