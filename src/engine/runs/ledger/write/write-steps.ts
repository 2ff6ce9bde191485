/**
 * The one way to write steps, with the state fields and events that belong to them: the SQL function write_steps. It checks the
 * attempt of each step, so a caller needs a transaction only when it must read something first.
 */
import type { Db, SharedWrite, Tx } from '../../../../base/db/client.ts';
import type { StoredEventType } from '../event-types.ts';
import type { EffectRow } from './effects.ts';
import { wakeListeners, type NewEvent } from './events.ts';
import type { SegmentKey } from './segments.ts';
import type { StepRow } from './steps.ts';
import type { ChangedFields } from '../read/values.ts';

// Returns null when the segment is not running.
const WRITE = 'SELECT write_steps($1, $2, $3, $4::json, $5, $6, $7, $8, $9, $10::json) AS "stepIds"';

interface Write {
  /** A JSON array of StepRows. */
  readonly steps: string;
  readonly fields: ChangedFields;
  /** Payloads as JSON. With `stepId`, the event is written only if that step is. */
  readonly events: readonly {
    readonly stepId?: string;
    readonly type: StoredEventType;
    readonly payload: string;
  }[];
  /** Written with their steps. */
  readonly effects: readonly EffectRow[];
}

/** The parameter of write_steps for effects; null: none. */
export const toEffectsParam = (effects: readonly EffectRow[]): string | null =>
  effects.length === 0 ? null : JSON.stringify(effects);

/** @returns the ids of the written steps; null when the segment is not running */
async function write(
  sql: Tx,
  key: SegmentKey,
  { steps, fields, events, effects }: Write,
): Promise<string[] | null> {
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
    toEffectsParam(effects),
  ]);
  const stepIds = row?.stepIds ?? null;
  if (stepIds !== null && events.length > 0) wakeListeners(sql, key.runPk);
  return stepIds;
}

export const NO_FIELDS: ChangedFields = { names: [], values: [] };

/** Changed steps, with the state fields and events that belong to them. */
export interface StepChanges {
  readonly steps: readonly StepRow[];
  readonly fields?: ChangedFields;
  readonly events?: readonly NewEvent[];
  /** Of these steps, for the ledger of effects. */
  readonly effects?: readonly EffectRow[];
}

/**
 * Writes steps, fields and events in the caller's transaction, which has locked the running segment and the steps that it has
 * read.
 * @throws when the segment is not running: a bug of the caller, whose transaction must not commit
 */
export async function writeSteps(
  tx: Tx,
  key: SegmentKey,
  { steps, fields = NO_FIELDS, events = [], effects = [] }: StepChanges,
): Promise<void> {
  if (steps.length === 0 && fields.names.length === 0 && events.length === 0) return;
  const texts = events.map(({ type, payload }) => ({ type, payload: JSON.stringify(payload) }));
  const written = await write(tx, key, { steps: JSON.stringify(steps), fields, events: texts, effects });
  if (written === null) throw new Error(`Run ${key.runPk} ended while its row was locked`);
}

/** A step with its events, as JSON text. */
interface StepWrite {
  readonly key: SegmentKey;
  readonly stepId: string;
  readonly step: string;
  readonly events: readonly {
    readonly stepId: string;
    readonly type: StoredEventType;
    readonly payload: string;
  }[];
  readonly effects: readonly EffectRow[];
}

/** The most characters of a write that shares its statement with others. */
const MAX_SHARED = 65_536;

const STEP_WRITES: SharedWrite<StepWrite, boolean> = {
  name: 'steps',
  // A second statement would only wait for the first, which has locked the run.
  maxConcurrent: 1,
  getKey: ({ key }) => `${key.organizationId}/${key.runPk}`,
  isLarge: ({ step, events }) =>
    events.reduce((sum, { payload }) => sum + payload.length, step.length) > MAX_SHARED,
  async run(sql, writes) {
    const [first] = writes;
    if (first === undefined) return [];
    const written = await write(sql, first.key, {
      steps: `[${writes.map(({ step }) => step).join(',')}]`,
      fields: NO_FIELDS,
      events: writes.flatMap(({ events }) => events),
      effects: writes.flatMap(({ effects }) => effects),
    });
    return writes.map(({ stepId }) => written?.includes(stepId) === true);
  },
};

/**
 * Writes the start or the end of one attempt: the step and its events, in a statement shared with other steps of the run.
 * @returns false when nothing was written: the segment is not running, or the step exists in a later attempt or has an outcome
 */
export function writeStep(
  db: Db,
  key: SegmentKey,
  {
    step,
    events,
    effects = [],
  }: {
    readonly step: StepRow;
    readonly events: readonly NewEvent[];
    readonly effects?: readonly EffectRow[];
  },
): Promise<boolean> {
  const { step_id: stepId } = step;
  const texts = events.map(({ type, payload }) => ({ stepId, type, payload: JSON.stringify(payload) }));
  return db.share(STEP_WRITES, { key, stepId, step: JSON.stringify(step), events: texts, effects });
}
