/** Why a run was stopped before its graph came to an end: by a limit, or by a node that failed. */
import type { Progress } from '../../graph/schedule.ts';
import type { Skeleton } from '../../graph/skeleton.ts';
import type { RunFailure } from './protocol.ts';
import type { RunContext } from './run-context.ts';

/** The error of the last step that failed unhandled, that of `nodeId` first. */
async function failureOfNode(context: RunContext, nodeId: string): Promise<RunFailure> {
  const rows = await context.sql.query<{
    node_id: string;
    error: { code?: string; message?: string } | null;
  }>(
    `SELECT node_id, error FROM run_steps
     WHERE root_run_pk = $1 AND status = 'failed' AND NOT error_handled AND item_index = -1
     ORDER BY (node_id = $2) DESC, completed_at DESC LIMIT 1`,
    [context.segment.rootRunPk, nodeId],
  );
  const row = rows[0];
  return {
    code: row?.error?.code ?? 'node_failed',
    message: row?.error?.message ?? 'A node failed',
    nodeId: row?.node_id ?? nodeId,
  };
}

/** The failure of a run that has been stopped, as its clients and its operators read it. */
export async function stopFailure(
  context: RunContext,
  graph: Skeleton,
  { stop }: Pick<Progress, 'stop'>,
): Promise<RunFailure> {
  const nodeId = graph.nodes[stop?.node ?? -1]?.id ?? '';
  if (stop?.reason === 'recursion_limit_exceeded') {
    const message = `Node ${nodeId} would run deeper than the recursion limit of ${graph.recursionLimit}`;
    return { code: stop.reason, message, nodeId };
  }
  if (stop?.reason === 'execution_limit_exceeded') {
    return { code: stop.reason, message: 'The run has executed more nodes than a run may', nodeId };
  }
  return failureOfNode(context, nodeId);
}
