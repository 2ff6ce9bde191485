/** Delivers one entry. A failed delivery is retried, rejected by the handler, or parked. */
import { TemporalRejected, TemporalUnavailable } from '../../base/errors.ts';
import type { Sql } from '../../base/db/client.ts';
import type { Logger } from '../../base/log.ts';
import { traced } from '../../base/observe/tracing.ts';
import { type OutboxHandler, parkOutbox, retryOutbox, type OutboxEntry } from './outbox.ts';

/** An entry is parked after this time and this many tries, unless Temporal is unavailable. */
const GIVE_UP_SECONDS = 15 * 60;
const MAX_TRIES = 20;

interface DeliveryDeps {
  readonly outbox: Sql;
  readonly log: Logger;
}

/** Delivers an entry. Never throws. @returns true when the entry may be removed */
export async function deliverEntry(
  deps: DeliveryDeps,
  handler: OutboxHandler,
  entry: OutboxEntry,
): Promise<boolean> {
  const plan = {
    name: `outbox ${entry.kind}`,
    kind: 'producer',
    traceparent: entry.traceparent,
    attributes: { 'app.subject_id': entry.subjectId },
  } as const;
  try {
    await traced(plan, () => handler.deliver(entry));
    return true;
  } catch (error) {
    return handleFailure(deps, handler, { entry, error }).catch((cause: unknown) => {
      // The claim expires after 10 s, and the entry is delivered again.
      deps.log.warn({ err: cause, ...describeEntry(entry) }, 'an outbox entry could not be put back');
      return false;
    });
  }
}

const IS_OF_RUN: Readonly<Record<OutboxEntry['kind'], boolean>> = {
  start: true,
  resume: true,
  cancel: true,
  waits: true,
  error_run: true,
  schedule: false,
  ingest: false,
  data_job: false,
};

/** A run has the name that it has in other lines. */
const describeEntry = ({ kind, subjectId, tries }: OutboxEntry): object => ({
  kind,
  [IS_OF_RUN[kind] ? 'run_pk' : 'subject_id']: subjectId,
  tries,
});

async function handleFailure(
  { outbox, log }: DeliveryDeps,
  handler: OutboxHandler,
  { entry, error }: { readonly entry: OutboxEntry; readonly error: unknown },
): Promise<boolean> {
  const fields = { err: error, ...describeEntry(entry) };
  if (error instanceof TemporalRejected && handler.reject !== undefined) {
    log.error(fields, 'Temporal rejected an outbox entry');
    await handler.reject(entry, error);
    return true;
  }
  const message = error instanceof Error ? error.message : String(error);
  const isHopeless =
    entry.tries >= MAX_TRIES && entry.ageSeconds > GIVE_UP_SECONDS && !(error instanceof TemporalUnavailable);
  if (isHopeless) {
    log.error(fields, 'an outbox entry was parked after too many tries');
    await parkOutbox(outbox, entry.outboxId, message);
  } else {
    log.warn(fields, 'an outbox entry was not delivered and will be retried');
    await retryOutbox(outbox, entry.outboxId, message);
  }
  return false;
}
