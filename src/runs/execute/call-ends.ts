/** What a call that has come back means for its node. */
import { nodeErrorOf, recordAbandoned, retryOf } from './attempts.ts';
import type { EndedCall } from './advance-calls.ts';
import type { LiveCallWork } from './calls.ts';
import { decideSuccess, notStorable } from './node-end.ts';
import type { OpenCall } from './protocol.ts';

/** How long the next attempt waits of a call that the database kept from ending. */
const RETRY_MS = 1_000;

export type CallEnd =
  | { readonly kind: 'ended'; readonly call: EndedCall }
  /** Another attempt decides by the record of this one. */
  | { readonly kind: 'retry'; readonly call: OpenCall }
  /** Nobody waits for it: its run has ended, or another attempt has begun. */
  | { readonly kind: 'gone' };

/** Waits for the end of a call. @throws when the call was given up */
export async function endOfCall(work: LiveCallWork): Promise<CallEnd> {
  const { attempt, working, beganMs, call, host } = work;
  const end = await working.end;
  if (end.kind === 'worked') {
    const durationMs = Math.round(performance.now() - beganMs);
    const worked = { result: end.result, warnings: working.scope.warnings, durationMs };
    return { kind: 'ended', call: { work, end: { kind: 'worked', decide: decideSuccess(worked) } } };
  }
  if (host.signal.aborted) throw new Error('The advance was given up while a call was under way');
  if (working.live.isFenced) {
    await recordAbandoned(attempt);
    return { kind: 'gone' };
  }
  if (retryOf(host, end.error) !== null) return { kind: 'retry', call: { ...call, retryInMs: RETRY_MS } };
  const error = nodeErrorOf(attempt, working.live, end.error);
  return { kind: 'ended', call: { work, end: { kind: 'failed', error } } };
}

/** The end of a call whose own end the database refuses: the node fails. @throws an error that is transient */
export function unwritable({ work }: EndedCall, error: unknown): EndedCall {
  const failure = notStorable(work.attempt, { what: 'the end of a node', error });
  return { work, end: { kind: 'failed', error: failure } };
}
