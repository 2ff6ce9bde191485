/** What goes wrong in an ingest: whether another attempt may help, and in which words the document tells of it. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { scrub } from '../../src/log.ts';
import { NodeError } from '../../src/nodes/kind.ts';
import type { DocumentRef } from '../../src/knowledge/ingest-engine.ts';
import { anotherAttempt } from './another-attempt.ts';
import type { EngineDeps } from '../../src/runs/execute/engine-deps.ts';
import { HEARTBEAT_MS } from '../../src/runs/execute/live-work.ts';

const MAX_MESSAGE = 1_000;

/** Does the work of an activity with a heartbeat, so that a lost worker is missed within seconds. */
export async function whileBeating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  context.heartbeat();
  const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

/** The failure that Temporal is told: an ApplicationFailure, or the cancellation that it asked for itself. */
export function ingestFailure(deps: EngineDeps, document: DocumentRef, error: unknown): Error {
  const { cancellationDetails } = Context.current();
  if (cancellationDetails?.cancelRequested) return new CancelledFailure('The ingest was cancelled');
  if (error instanceof ApplicationFailure) return error;
  const another = anotherAttempt(error);
  if (another !== null) return another;
  if (error instanceof NodeError) {
    const { code: type, retryable, retryAfterMs } = error;
    const message = scrub(error.message).slice(0, MAX_MESSAGE);
    return ApplicationFailure.create({
      message,
      type,
      nonRetryable: !retryable,
      ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
    });
  }
  deps.log.error({ err: error, document_id: document.documentId }, 'an ingest failed unexpectedly');
  return ApplicationFailure.retryable('The document could not be taken in', 'internal_error');
}
