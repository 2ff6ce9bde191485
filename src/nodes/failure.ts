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

/** The wait of a `Retry-After` header (RFC 9110: seconds, or a date) in milliseconds, or null. */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | null {
  const text = headers?.['retry-after']?.trim() ?? '';
  if (text === '') return null;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), MAX_WAIT_MS);
}
