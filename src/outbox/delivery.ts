/** The delivery of one entry, and the one rule for those that fail: again, refused for good, or parked. */
import { TemporalRejected, TemporalUnavailable } from '../errors.ts';
import type { Sql } from '../db/client.ts';
import type { Logger } from '../log.ts';
import { traced } from '../observe/tracing.ts';
import type { OutboxHandler } from './handlers.ts';
import { parkOutbox, retryOutbox, type OutboxEntry } from './outbox.ts';

/** An entry that fails for this long, and this often, for another reason than Temporal's absence is parked. */
const GIVE_UP_SECONDS = 15 * 60;
const MAX_TRIES = 20;

export interface DeliveryDeps {
  /** For putting entries back. */
  readonly outbox: Sql;
  readonly log: Logger;
}

/** Has an entry delivered. Never throws. @returns whether it is done with and may be removed */
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
      // The claim runs out after 10 s; the entry is tried again then.
      deps.log.warn({ err: cause, ...describeEntry(entry) }, 'an outbox entry could not be put back');
      return false;
    });
  }
}

const describeEntry = ({ kind, subjectId, tries }: OutboxEntry): object => ({
  kind,
  subject_id: subjectId,
  tries,
});

async function handleFailure(
  { outbox, log }: DeliveryDeps,
  handler: OutboxHandler,
  { entry, error }: { readonly entry: OutboxEntry; readonly error: unknown },
): Promise<boolean> {
  const fields = { err: error, ...describeEntry(entry) };
  if (error instanceof TemporalRejected && handler.reject !== undefined) {
    log.error(fields, 'Temporal refused an outbox entry');
    await handler.reject(entry, error);
    return true;
  }
  const message = error instanceof Error ? error.message : String(error);
  const isHopeless =
    entry.tries >= MAX_TRIES && entry.ageSeconds > GIVE_UP_SECONDS && !(error instanceof TemporalUnavailable);
  if (isHopeless) {
    log.error(fields, 'an outbox entry was given up and parked');
    await parkOutbox(outbox, entry.outboxId, message);
  } else {
    log.warn(fields, 'an outbox entry was not delivered, trying again');
    await retryOutbox(outbox, entry.outboxId, message);
  }
  return false;
}
