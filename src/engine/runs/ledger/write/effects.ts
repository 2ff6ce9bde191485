/** The ledger of effects: what attempts of steps, and links to people, have done or may have done outside of the service. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';

/**
 * `not_sent`: nothing left, or the service has said that it did nothing. `unknown`: it may have happened. `settled`: it was unknown, and is
 * no longer. `given_up`: it may have happened, and a person has decided to leave it so.
 */
export const EFFECT_OUTCOMES = ['done', 'refused', 'not_sent', 'unknown', 'settled', 'given_up'] as const;
type EffectOutcome = (typeof EFFECT_OUTCOMES)[number];

/** A row of run_effects as it is written; its run gives it organization, workflow and person. */
export interface EffectRow {
  readonly step_id: string;
  readonly attempt: number;
  /** Its place among the effects of the attempt. */
  readonly number: number;
  readonly node_id: string;
  readonly door: string;
  /** A part that is not known is null. */
  readonly target: JsonObject;
  readonly host: string | null;
  readonly credential_id: string | null;
  readonly effect: string;
  /** Null: it was not prepared in this process, so another row of the same effect knows more. */
  readonly digest: string | null;
  /** The question whose answer has approved it. */
  readonly approved_by_interrupt: string | null;
  readonly outcome: EffectOutcome;
  /** The code of the failure with which it ended. */
  readonly error_code: string | null;
  /** When it was prepared, ISO 8601. */
  readonly created_at: string;
}

/** Records the effects of an attempt whose step has no further write. */
export async function recordEffects(sql: Sql, runPk: string, rows: readonly EffectRow[]): Promise<void> {
  await sql.query('SELECT record_effects($1, $2::json, NULL)', [runPk, JSON.stringify(rows)]);
}

/** An attempt of a step. */
interface AttemptKey {
  readonly stepId: string;
  readonly attempt: number;
}

const MARK_SENT = `
  WITH sent AS MATERIALIZED (
    UPDATE run_steps SET sent_at = CASE WHEN $3 THEN clock_timestamp() END, input = coalesce($5::json, input)
    WHERE step_id = $1 AND attempt = $2 AND status = 'running' RETURNING run_pk
  )
  SELECT CASE WHEN $4::text IS NOT NULL THEN record_effects(run_pk, $4::json, NULL) END FROM sent`;

/**
 * Records that the effect of an attempt is about to be sent, or was not sent.
 * @param input the request, for people who may be asked about it; null: that of the step stays
 * @param row as it stands in the ledger until the end of the attempt; null: the effect is none of the ledger
 * @returns false when the attempt is no longer the current one; then nothing was written
 */
export async function markSent(
  sql: Sql,
  { stepId, attempt }: AttemptKey,
  { isSent, input, row }: { readonly isSent: boolean; readonly input: Json; readonly row: EffectRow | null },
): Promise<boolean> {
  const effects = row === null ? null : JSON.stringify([row]);
  const request = input === null ? null : JSON.stringify(input);
  return (await sql.query(MARK_SENT, [stepId, attempt, isSent, effects, request])).length === 1;
}

/** Records what a person has said of the effects of a step whose outcome is unknown. */
export async function settleEffects(
  sql: Sql,
  { run_pk: runPk, step_id: stepId }: { readonly run_pk: string; readonly step_id: string },
  outcome: 'settled' | 'not_sent' | 'given_up',
): Promise<void> {
  await sql.query(
    `UPDATE run_effects SET outcome = $3 WHERE run_pk = $1 AND step_id = $2 AND outcome = 'unknown'`,
    [runPk, stepId, outcome],
  );
}
