/** Writes the changes and the answer of one advance of a run, and reads the stored answers of earlier ones. */
import { PLAN_TABLE } from '../../../../platform/billing/settlement.ts';
import type { DeferredTx, Sql, Tx } from '../../../../base/db/client.ts';
import { noteRunEnded, noteRunStarted } from '../../../../base/observe/run-metrics.ts';
import { toClosingParams, wakeListeners, type SummedClosing } from './events.ts';
import type { SegmentKey } from './segments.ts';
import { toEffectsParam, type StepChanges } from './write-steps.ts';

/**
 * Answers kept per run. Temporal records local activities when the workflow task ends or is extended (every 4 s): after a lost
 * worker the next one repeats each request since then.
 */
const KEPT_ADVANCES = 1_000;

// close_summed reads the row of `steps`, so the terminal frame comes after the other events.
const END = `
  WITH cursor AS MATERIALIZED (
    SELECT 1 FROM run_cursors WHERE root_run_pk = $2 AND advance = $8 - 1 FOR UPDATE
  ), begun AS (
    UPDATE runs SET started_at = coalesce(started_at, greatest(created_at, clock_timestamp() - make_interval(secs => $18)))
    FROM cursor WHERE id = $1 AND status = 'running' AND $8 = 1
    RETURNING extract(epoch FROM started_at - created_at)::float8 AS delay
  ), steps AS MATERIALIZED (
    -- An advance without changes may be of a run that waits, unless it is the first.
    SELECT CASE WHEN $3::text = '[]' AND cardinality($4::text[]) + cardinality($6::text[]) = 0 THEN '{}'
                ELSE write_steps($1, $2, $17, $3::json, $4, $5, NULL, $6, $7, $19::json) END AS written
    FROM cursor, (SELECT count(*) FROM begun) AS b WHERE $8 > 1 OR b.count = 1
  ), ended AS MATERIALIZED (
    SELECT CASE WHEN $11::text IS NULL THEN true
                ELSE close_summed($1, $2, $10::text[], $11, $12, $13, $14, $15, $16::jsonb) END AS holds
    FROM steps WHERE written IS NOT NULL
  ), answered AS MATERIALIZED (
    -- The end may come too late: a cancellation has ended the run since it was read.
    SELECT 1 FROM ended WHERE holds
  ), moved AS (
    UPDATE run_cursors SET advance = $8 FROM answered WHERE root_run_pk = $2
  ), kept AS (
    INSERT INTO run_advances (root_run_pk, advance, result) SELECT $2, $8, $9::json FROM answered
  ), forgotten AS (
    DELETE FROM run_advances WHERE root_run_pk = $2 AND advance < $8 - ${KEPT_ADVANCES} AND $8 % ${KEPT_ADVANCES} = 0
  )
  SELECT (SELECT delay FROM begun) AS delay FROM answered`;

/** Nothing was written, because the run has ended or another process has made the advance. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
  constructor() {
    super('Another process walks the run, or it has ended');
  }
}

interface AdvanceRecord extends Required<StepChanges> {
  readonly advance: number;
  /** The answer to keep under the number, as JSON text. */
  readonly answer: string;
  /** The end of the segment, when the advance ends it. */
  readonly closing: SummedClosing | null;
  /** The run's duration so far, in seconds: the run starts with its first advance. */
  readonly seconds: number;
}

/**
 * Writes the last changes of an advance and its answer in one statement. It is the last statement of the transaction that has
 * locked the run, or the only one.
 * @throws Overtaken; the transaction must not commit
 */
export async function endAdvance(
  tx: Tx | DeferredTx,
  segment: SegmentKey,
  record: AdvanceRecord,
): Promise<void> {
  const { steps, fields, events, effects, advance, answer, closing, seconds } = record;
  const closed = closing === null ? null : toClosingParams(closing);
  const params = [
    segment.runPk,
    segment.rootRunPk,
    JSON.stringify(steps),
    fields.names,
    fields.values,
    events.map((event) => event.type),
    events.map((event) => JSON.stringify(event.payload)),
    advance,
    answer,
    closing?.from ?? null,
    closed?.status ?? null,
    closed?.frame ?? null,
    closed?.output ?? null,
    closed?.outputSummary ?? null,
    closed?.error ?? null,
    PLAN_TABLE,
    segment.organizationId,
    seconds,
    toEffectsParam(effects),
  ];
  type Row = { readonly delay: number | null };
  const [row] =
    'queryWithoutBegin' in tx
      ? await tx.queryWithoutBegin<Row>(END, params)
      : await tx.query<Row>(END, params);
  if (row === undefined) throw new Overtaken();
  if (events.length > 0 || closing !== null) wakeListeners(tx, segment.runPk, closing !== null);
  if (row.delay !== null) noteRunStarted(row.delay);
  if (closing !== null) noteRunEnded(closing.status, seconds);
}

/** Reads the answer of an advance that was committed before; null when it is no longer stored. */
export async function readStoredAnswer<Answer>(
  sql: Sql,
  { rootRunPk, advance }: { readonly rootRunPk: string; readonly advance: number },
): Promise<Answer | null> {
  const [stored] = await sql.query<{ result: Answer }>(
    `SELECT result FROM run_advances WHERE root_run_pk = $1 AND advance = $2`,
    [rootRunPk, advance],
  );
  return stored?.result ?? null;
}
