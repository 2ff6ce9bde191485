/** A run of the history on the canvas: one that has ended from its record, one that goes on from its stream. */
import type { WorkflowClient } from '../../client/client.ts';
import type { RunStep } from '../../client/openapi.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { NodeRun } from './run-board.ts';
import type { Room } from './room.ts';
import type { RunClient } from './run-client.ts';

export interface Shower {
  readonly client: WorkflowClient;
  readonly room: Room;
  readonly runs: RunClient;
}

type Json = JsonObject[string];

/** History says `succeeded` where the stream says `completed`. */
export const streamed = (status: string): string => (status === 'succeeded' ? 'completed' : status);

const nodeRun = (step: RunStep): NodeRun => ({
  status: streamed(step.status),
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
export async function showPast({ client, room, runs }: Shower, runPk: string): Promise<void> {
  const record = await client.runs.get(runPk);
  if (record.status === 'running' || record.status === 'interrupted') return runs.follow(record.run_id);
  room.board.show({
    runId: record.run_id,
    status: streamed(record.status),
    error: record.error_message ?? '',
    output: record.output as Json,
    nodes: record.steps
      .filter((step) => step.parent_step_id === null)
      .map((step) => [step.node_id, nodeRun(step)] as const),
  });
}
