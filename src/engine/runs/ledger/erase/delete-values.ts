/**
 * Deletes the values of ended runs and keeps their rows: what ran, when, with which status and error code, what it used, and who
 * answered. Gone are inputs, outputs, state, messages of errors and questions, answers, logs, events, messages of agents and chats, and the
 * copies of them: stored answers of advances, requests of webhooks, and errors in notifications.
 */
import type { Tx } from '../../../../base/db/client.ts';
import { FORGET_REQUESTS, lockEndedTrees, tidyChats } from './delete-runs.ts';

/** Stands for a text that was deleted. */
const DELETED = '[deleted]';

// Codes and node ids are words of the service and of the definition; messages may quote values.
const trimError = (column: string): string => `
  CASE WHEN ${column} IS NOT NULL THEN
    json_build_object('code', ${column}->>'code', 'message', '${DELETED}', 'node_id', ${column}->>'node_id') END`;

const STATEMENTS: readonly string[] = [
  `UPDATE runs SET values_deleted_at = now(), input = '{}', output = NULL, output_summary = NULL, error = ${trimError('error')},
          config = (config::jsonb - 'workflow_input' - 'run_input' - 'openai_response')::json
   WHERE id = ANY ($1::uuid[])`,
  `UPDATE run_steps SET input = NULL, output = NULL, updates = NULL, logs = NULL, warnings = '[]', tool_calls = '[]',
          attempts = '[]', error = ${trimError('error')}
   WHERE run_pk = ANY ($1::uuid[])`,
  `DELETE FROM agent_turns WHERE step_id IN (SELECT step_id FROM run_steps WHERE run_pk = ANY ($1::uuid[]))`,
  `UPDATE run_interrupts SET response = NULL, question = (question::jsonb ||
          '{"title": "${DELETED}", "message": "${DELETED}", "payload": null, "form": null, "defaultResponse": null}')::json
   WHERE root_run_pk = ANY ($1::uuid[])`,
  `DELETE FROM held_effects WHERE interrupt_id IN (
     SELECT id FROM run_interrupts WHERE root_run_pk = ANY ($1::uuid[]))`,
  `UPDATE interrupt_responses SET data = 'null' WHERE interrupt_id IN (
     SELECT id FROM run_interrupts WHERE root_run_pk = ANY ($1::uuid[]))`,
  // The address of a person may be a value; the digest was made of values.
  `UPDATE run_effects SET digest = NULL, target = CASE WHEN door = 'message' THEN target - 'address' ELSE target END
   WHERE run_pk = ANY ($1::uuid[])`,
  'UPDATE settled_outcomes SET output = NULL WHERE run_pk = ANY ($1::uuid[])',
  // The findings of rehearsals quote requests.
  'DELETE FROM rehearsed_runs WHERE root_run_pk = ANY ($1::uuid[])',
  // Results of evaluations quote the run; their verdicts stay.
  `UPDATE evaluation_trials SET output = NULL, error = NULL, grades = '[]' WHERE root_run_pk = ANY ($1::uuid[])`,
  // A case without the input of its run is none.
  'DELETE FROM evaluation_cases WHERE root_run_pk = ANY ($1::uuid[])',
  // A file goes with the last run that refers to it.
  'DELETE FROM file_references WHERE run_pk = ANY ($1::uuid[])',
  'DELETE FROM run_fields WHERE root_run_pk = ANY ($1::uuid[])',
  'DELETE FROM run_events WHERE run_pk = ANY ($1::uuid[])',
  'DELETE FROM run_advances WHERE root_run_pk = ANY ($1::uuid[])',
  'DELETE FROM callback_answers WHERE root_run_pk = ANY ($1::uuid[])',
  'DELETE FROM thread_messages WHERE run_pk = ANY ($1::uuid[])',
  FORGET_REQUESTS,
  `UPDATE notification_events SET payload = jsonb_set(payload::jsonb, '{data,error,message}', '"${DELETED}"', false)::json
   WHERE run_pk = ANY ($1::uuid[])`,
];

/** Deletes the values of these first segments' trees that have ended and whose values no rerun uses. @returns how many */
export async function deleteValues(tx: Tx, rootRunPks: readonly string[]): Promise<number> {
  const { runPks, kept } = await lockEndedTrees(tx, rootRunPks, false);
  for (const statement of STATEMENTS) await tx.query(statement, [runPks]);
  const chats = await tx.query<{ id: string }>(
    'SELECT DISTINCT chat_id AS id FROM runs WHERE id = ANY ($1::uuid[]) AND chat_id IS NOT NULL',
    [runPks],
  );
  await tidyChats(
    tx,
    chats.map(({ id }) => id),
  );
  return rootRunPks.length - kept.size;
}
