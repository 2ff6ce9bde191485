/**
 * The statement that accepts runs: the gate, the rows, their first events, cursors and outbox entries, for one run or for
 * several. It knows neither threads that are continued nor idempotency.
 */
import type { Verdict } from '../../billing/admission.ts';
import type { Sql } from '../../db/client.ts';

/** A run as the statement takes it; `*_text` columns are JSON text. */
export interface RunToInsert {
  readonly run_pk: string;
  readonly run_id: string;
  readonly organization_id: string;
  /** Of the chat that is made, when the thread has none. */
  readonly chat_id: string;
  readonly created_by: string | null;
  readonly thread_id: string | null;
  readonly chat_kind: string;
  readonly message_preview: string;
  readonly workflow_id: string | null;
  readonly deployment_id: string | null;
  readonly deployment_version: string | null;
  readonly definition_hash: string;
  readonly workflow_name: string;
  readonly workflow_version: string;
  readonly workflow_source: string;
  readonly trigger_type: string;
  readonly is_ad_hoc: boolean;
  readonly is_private: boolean;
  readonly ephemeral: boolean;
  readonly stream: boolean;
  readonly config_text: string;
  readonly input_text: string;
  readonly started_text: string;
  readonly definition_text: string | null;
  readonly amount_mc: number;
  readonly monthly_mc: number | null;
  readonly is_paid: boolean;
  readonly run_rate: number | null;
  readonly traceparent: string | null;
  readonly rerun_of: string | null;
  readonly child_depth: number;
}

export interface InsertedRow extends Verdict {
  /** Position of the run, from 1. */
  readonly place: number;
  readonly chat_id: string;
  readonly created_at: Date;
}

// The gate stands in the statement itself: it costs no round trip, and what it refuses leaves nothing. It is asked run
// by run, and each sees what those before it have taken.
const INSERT_RUNS = `
  WITH asked AS MATERIALIZED (
    SELECT row_number() OVER () AS place, r.* FROM json_to_recordset($1::json) AS r(
      run_pk uuid, run_id uuid, organization_id uuid, chat_id uuid, created_by uuid, thread_id text, chat_kind text,
      message_preview text, workflow_id uuid, deployment_id uuid, deployment_version text, definition_hash text,
      workflow_name text, workflow_version text, workflow_source text, trigger_type text, is_ad_hoc boolean,
      is_private boolean, ephemeral boolean, stream boolean, config_text text, input_text text, started_text text,
      definition_text text, amount_mc bigint, monthly_mc bigint, is_paid boolean, run_rate integer, traceparent text,
      rerun_of uuid, child_depth integer)
  ), verdict AS MATERIALIZED (
    SELECT a.run_pk AS subject, v.* FROM asked a
    CROSS JOIN LATERAL admit(a.run_pk, a.organization_id, a.amount_mc, a.monthly_mc, a.is_paid, a.run_rate, NULL) AS v
  ), let_in AS (
    SELECT a.* FROM asked a JOIN verdict v ON v.subject = a.run_pk WHERE v.refusal IS NULL
  ), definition AS (
    INSERT INTO definitions (organization_id, hash, definition)
    SELECT organization_id, definition_hash, definition_text::json FROM let_in WHERE definition_text IS NOT NULL
    ON CONFLICT DO NOTHING
  ), chat AS (
    INSERT INTO chats (id, organization_id, user_id, thread_id, kind, title, last_message_preview, message_count, workflow_id)
    SELECT chat_id, organization_id, created_by, thread_id, chat_kind, left(message_preview, 80), left(message_preview, 200), 1, workflow_id
    FROM let_in WHERE thread_id IS NOT NULL
    ON CONFLICT (organization_id, thread_id) DO UPDATE
      SET updated_at = now(), last_message_preview = excluded.last_message_preview, message_count = chats.message_count + 1
    RETURNING id, organization_id, thread_id
  ), run AS (
    INSERT INTO runs (id, run_id, root_run_pk, organization_id, chat_id, created_by, thread_id, workflow_id,
                      deployment_id, deployment_version, definition_hash, workflow_name, workflow_version,
                      workflow_source, trigger_type, is_ad_hoc, is_private, ephemeral, stream, config, input,
                      rerun_of, child_depth, traceparent)
    SELECT l.run_pk, l.run_id, l.run_pk, l.organization_id, coalesce(chat.id, l.chat_id), l.created_by, l.thread_id,
           l.workflow_id, l.deployment_id, l.deployment_version, l.definition_hash, l.workflow_name,
           l.workflow_version, l.workflow_source, l.trigger_type, l.is_ad_hoc, l.is_private, l.ephemeral, l.stream,
           l.config_text::json, l.input_text::json, l.rerun_of, l.child_depth, l.traceparent
    FROM let_in l LEFT JOIN chat ON chat.organization_id = l.organization_id AND chat.thread_id = l.thread_id
    RETURNING id, chat_id, created_at
  ), begun AS MATERIALIZED (
    SELECT run.*, append_events(run.id, ARRAY['run_started'],
                                ARRAY[left(l.started_text, -1) || ',"chat_id":"' || run.chat_id || '"}'])
    FROM run JOIN let_in l ON l.run_pk = run.id
  ), cursor AS (
    INSERT INTO run_cursors (root_run_pk) SELECT id FROM run
  ), told AS (
    -- A scheduled run is started by its schedule's execution, as its child (interpreter/scheduled.ts).
    INSERT INTO outbox (kind, organization_id, subject_id, traceparent)
    SELECT 'start', l.organization_id, run.id, l.traceparent
    FROM run JOIN let_in l ON l.run_pk = run.id WHERE l.trigger_type <> 'schedule'
    ORDER BY l.place
  )
  SELECT asked.place, verdict.refusal, verdict.current_value, verdict.limit_value, verdict.retry_after,
         begun.chat_id, begun.created_at
  FROM asked LEFT JOIN verdict ON verdict.subject = asked.run_pk
  LEFT JOIN begun ON begun.id = asked.run_pk`;

/** Inserts the runs that the gate lets in. No two of them may be on one thread. @returns a verdict for each */
export function insertRuns(sql: Sql, runs: readonly RunToInsert[]): Promise<InsertedRow[]> {
  return sql.query<InsertedRow>(INSERT_RUNS, [JSON.stringify(runs)]);
}
