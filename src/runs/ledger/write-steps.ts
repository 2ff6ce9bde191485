/**
 * The one way in which steps are written, with the fields of the state and the events that become true with them: the SQL
 * function write_steps. It judges each step by its attempt, so a caller needs a transaction only for what it must read first.
 */
import type { Db, SharedWrite, Tx } from '../../db/client.ts';
import { wakeListeners, type NewEvent } from './events.ts';
import type { SegmentKey } from './segments.ts';
import type { StepRow } from './steps.ts';
import type { ChangedFields } from './values.ts';

// Null: the segment does not run.
const WRITE = 'SELECT write_steps($1, $2, $3, $4::json, $5, $6, $7, $8, $9) AS "stepIds"';

interface Write {
  /** JSON of an array of StepRows. */
  readonly steps: string;
  readonly fields: ChangedFields;
  /** JSON payloads. `stepId`: the event is written if this step is. */
  readonly events: readonly { readonly stepId?: string; readonly type: string; readonly payload: string }[];
}

/** @returns the ids of the steps that were written; null: the segment does not run */
async function write(sql: Tx, key: SegmentKey, { steps, fields, events }: Write): Promise<string[] | null> {
  const isFenced = events.some(({ stepId }) => stepId !== undefined);
  const [row] = await sql.query<{ stepIds: string[] | null }>(WRITE, [
    key.runPk,
    key.rootRunPk,
    key.organizationId,
    steps,
    fields.names,
    fields.values,
    isFenced ? events.map(({ stepId }) => stepId) : null,
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
  ]);
  const stepIds = row?.stepIds ?? null;
  if (stepIds !== null && events.length > 0) wakeListeners(sql, key.runPk);
  return stepIds;
}

const NO_FIELDS: ChangedFields = { names: [], values: [] };

/** New states of steps, fields of the state, and the events that become true with them. */
export interface StepChanges {
  readonly steps: readonly StepRow[];
  readonly fields?: ChangedFields;
  readonly events?: readonly NewEvent[];
}

/**
 * Writes steps, fields and events in the caller's transaction, which has locked the segment while it was running, and the
 * steps that it has read.
 * @throws when the segment does not run, which is a bug of the caller: its transaction must not commit
 */
export async function writeSteps(
  tx: Tx,
  key: SegmentKey,
  { steps, fields = NO_FIELDS, events = [] }: StepChanges,
): Promise<void> {
  if (steps.length === 0 && fields.names.length === 0 && events.length === 0) return;
  const texts = events.map(({ type, payload }) => ({ type, payload: JSON.stringify(payload) }));
  const written = await write(tx, key, { steps: JSON.stringify(steps), fields, events: texts });
  if (written === null) throw new Error(`Run ${key.runPk} ended while its row was locked`);
}

/** A step with its events, as JSON text. */
interface StepWrite {
  readonly key: SegmentKey;
  readonly stepId: string;
  readonly step: string;
  readonly events: readonly { readonly stepId: string; readonly type: string; readonly payload: string }[];
}

/** The most characters of a write that shares its statement with others. */
const MAX_SHARED = 65_536;

const STEP_WRITES: SharedWrite<StepWrite, boolean> = {
  name: 'steps',
  // A second statement would only wait for the first, which has locked the run.
  maxConcurrent: 1,
  keyOf: ({ key }) => `${key.organizationId}/${key.runPk}`,
  isLarge: ({ step, events }) =>
    events.reduce((sum, { payload }) => sum + payload.length, step.length) > MAX_SHARED,
  async run(sql, writes) {
    const [first] = writes;
    if (first === undefined) return [];
    const written = await write(sql, first.key, {
      steps: `[${writes.map(({ step }) => step).join(',')}]`,
      fields: NO_FIELDS,
      events: writes.flatMap(({ events }) => events),
    });
    return writes.map(({ stepId }) => written?.includes(stepId) === true);
  },
};

/**
 * Writes one step and its events in a statement that it shares with others of its run: the beginning or the end of an attempt.
 * @returns false when nothing was written: the segment does not run, or the step exists already, in a later attempt, or has its
 *   outcome
 */
export function writeStep(
  db: Db,
  key: SegmentKey,
  { step, events }: { readonly step: StepRow; readonly events: readonly NewEvent[] },
): Promise<boolean> {
  const { step_id: stepId } = step;
  const texts = events.map(({ type, payload }) => ({ stepId, type, payload: JSON.stringify(payload) }));
  return db.share(STEP_WRITES, { key, stepId, step: JSON.stringify(step), events: texts });
}
