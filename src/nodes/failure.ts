/** How a call of the outside world fails: before anything was sent, by its signal, or with a status that may pass. */
import { NodeError } from './kind.ts';

/**
 * Thrown by the HTTP port when the destination was refused, not resolved or not connected to. Only then may an effect
 * that must not be repeated be tried again (SPEC REL-effect-classes).
 */
export class NothingSentError extends NodeError {}

/**
 * The failure behind an aborted signal: a deadline is a retryable NodeError `timeout`; a cancellation or a shutdown
 * passes on the signal's own reason, which whoever aborted recognizes.
 */
export function abortFailure(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new NodeError('timeout', 'The time for this node is over', { retryable: true, cause: reason });
  }
  return reason instanceof Error ? reason : new NodeError('aborted', 'The call was aborted');
}

/** True for a status that another try may pass: 408, 425, 429 and 5xx (SPEC DEF-2.13). */
export function retryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** An hour: a longer wish is cut. */
const MAX_WAIT_MS = 3_600_000;

/** The dates of HTTP (RFC 9110, 5.6.7): the one that is sent, and two that are read. All of them are of UTC. */
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

/** The wait of a `Retry-After` header (RFC 9110: seconds, or a date) in milliseconds; null for one that says neither. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  now = Date.now(),
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
