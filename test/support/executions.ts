/** Executions of runs, as Temporal has them. */
import { isGrpcServiceError, type Client, type WorkflowHandle } from '@temporalio/client';
import { eventually } from './waiting.ts';

/** Of gRPC (google.rpc.Code). */
const NOT_FOUND = 5;

/**
 * The execution of a run, once there is one: a run is accepted first, and Temporal hears of it a moment later.
 * @throws when there is none after 20 s
 */
export function startedExecution(client: Client, workflowId: string): Promise<WorkflowHandle> {
  const handle = client.workflow.getHandle(workflowId);
  return eventually('the execution to be started', 20_000, async () => {
    try {
      // The handle's own call also opens the memo, for which not every client has the key.
      await client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution: { workflowId },
      });
      return handle;
    } catch (error) {
      if (isGrpcServiceError(error) && error.code === NOT_FOUND) return null;
      throw error;
    }
  });
}
