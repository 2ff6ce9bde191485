/** What a call that was cut short by its signal fails with. */
import { NodeError } from './kind.ts';

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
