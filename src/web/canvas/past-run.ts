/** A run of the history on the canvas: a finished one from its record, an open one from its stream. */
import type { WorkflowClient } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { NodeRun } from './run-board.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import type { RunClient } from './run-client.ts';

interface PastRunContext {
  readonly client: WorkflowClient;
  readonly connection: CanvasConnection;
  readonly runs: RunClient;
}

type Json = JsonObject[string];

/** Translates a status of the history to the stream's: `succeeded` is `completed` there. */
export const toStreamStatus = (status: string): string => (status === 'succeeded' ? 'completed' : status);

const toNodeRun = (step: RunStep): NodeRun => ({
  status: toStreamStatus(step.status),
  input: step.input as Json,
  output: step.output as Json,
  error: step.error?.message ?? '',
  credits: step.credits,
  handle: step.selected_handle,
  stepId: step.step_id,
  ...(step.duration_ms === null ? {} : { durationMs: step.duration_ms }),
});

/**
 * Shows a run by its `run_pk`. Of a node that was come to more than once its last visit is shown.
 * @throws WorkflowApiError when there is no such run
 */
export async function showPast({ client, connection, runs }: PastRunContext, runPk: string): Promise<void> {
  const record = await client.runs.get(runPk);
  if (record.status === 'running' || record.status === 'interrupted') return runs.follow(record.run_id);
  connection.board.show({
    runId: record.run_id,
    status: toStreamStatus(record.status),
    error: record.error_message ?? '',
    output: record.output as Json,
    nodes: record.steps
      .filter((step) => step.parent_step_id === null)
      .map((step) => [step.node_id, toNodeRun(step)] as const),
  });
}
