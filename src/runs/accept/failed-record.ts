/** The record of a run that never was: what was due, and why nothing could be started. It has its two frames, too. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../../db/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import { closeUnsettled } from '../ledger/events.ts';

export interface FailedRecord {
  readonly organizationId: string;
  readonly createdBy: string | null;
  readonly workflowId: string;
  readonly workflowName: string;
  readonly workflowVersion: string;
  readonly triggerType: 'schedule';
  readonly input: JsonObject;
  readonly error: { readonly code: string; readonly message: string };
}

const INSERT = `
  WITH run AS (
    INSERT INTO runs (id, run_id, root_run_pk, organization_id, created_by, workflow_id, definition_hash, workflow_name,
                      workflow_version, workflow_source, trigger_type, is_ad_hoc, input, started_at)
    -- There is no definition: nothing was chosen to run.
    VALUES ($1, $2, $1, $3, $4, $5, '', $6, $7, 'database', $8, false, $9::json, clock_timestamp())
    RETURNING id
  )
  SELECT append_events(id, ARRAY['run_started'], ARRAY[$10::text]) FROM run`;

/** Writes the record, in the caller's transaction. @returns its history id and its run_id */
export async function insertFailedRecord(
  tx: Tx,
  record: FailedRecord,
): Promise<{ readonly runPk: string; readonly runId: string }> {
  const runPk = randomUUID();
  const runId = randomUUID();
  const error = { ...record.error, node_id: null };
  const started = {
    workflow_id: record.workflowId,
    workflow_name: record.workflowName,
    workflow_version: record.workflowVersion,
    workflow_source: 'database',
    deployment_id: null,
    ephemeral: false,
    reason: 'initial',
    resumed_from_run_id: null,
    chat_id: null,
  };
  await tx.query(INSERT, [
    runPk,
    runId,
    record.organizationId,
    record.createdBy,
    record.workflowId,
    record.workflowName,
    record.workflowVersion,
    record.triggerType,
    JSON.stringify(record.input),
    JSON.stringify(started),
  ]);
  await closeUnsettled(tx, { runPk, from: ['running'], status: 'failed', payload: { error }, error });
  return { runPk, runId };
}
