/** The run on a canvas: started here, named by the address, or found again after a reload. */
import { useEffect, useMemo } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { words } from '../words.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import { showPast } from './past-run.ts';
import { RunClient } from './run-client.ts';

const formatKey = (workflowId: string): string => `run:${workflowId}`;

/** Shows the open run of this tab again, else the person's own newest run of the workflow while it is open. */
async function findRunAgain(
  connection: CanvasConnection,
  client: WorkflowClient,
  runs: RunClient,
): Promise<void> {
  const { workflowId, presence, board } = connection;
  const kept = sessionStorage.getItem(formatKey(workflowId));
  if (kept !== null && (await client.runs.list({ run_id: kept }).page()).runs.length > 0) {
    if (board.run.runId === null) runs.follow(kept);
    return;
  }
  if (presence.me === null) return;
  const newest = {
    workflow_id: workflowId,
    created_by: presence.me.userId,
    segments: 'newest',
    limit: 1,
  } as const;
  const [run] = (await client.runs.list(newest).page()).runs;
  if (run === undefined || (run.status !== 'running' && run.status !== 'interrupted')) return;
  // The streams lead from the first segment to the newest; a run that was started meanwhile stays.
  if (board.run.runId === null) runs.follow(run.earlier_segments[0]?.run_id ?? run.run_id, false);
}

/** Keeps the first run_id of an own run over a reload of the tab until the run has ended. @returns how to end that */
function keepOpenRun({ board, workflowId }: CanvasConnection): () => void {
  return board.subscribe(() => {
    const { firstRunId, isOwn } = board.run;
    if (isOwn && firstRunId !== null && !board.hasEnded)
      sessionStorage.setItem(formatKey(workflowId), firstRunId);
    else sessionStorage.removeItem(formatKey(workflowId));
  });
}

/** Starts and follows the runs of a canvas; begins with the run that the address names, or with the one before a reload. */
export function useRuns(
  connection: CanvasConnection,
  client: WorkflowClient,
  runPk: string | undefined,
): RunClient {
  const runs = useMemo(() => new RunClient(client, connection.board), [client, connection]);
  useEffect(() => runs.open(), [runs]);
  useEffect(() => {
    const shown =
      runPk === undefined
        ? findRunAgain(connection, client, runs)
        : showPast({ client, connection, runs }, runPk);
    shown.catch((error: unknown) =>
      connection.notify('error', error instanceof Error ? error.message : words.failed),
    );
  }, [client, connection, runs, runPk]);
  useEffect(() => {
    let before = connection.state.status;
    return connection.subscribe(() => {
      const { status } = connection.state;
      if (status === 'live' && before !== 'live') void runs.catchUp();
      before = status;
    });
  }, [connection, runs]);
  useEffect(() => keepOpenRun(connection), [connection]);
  return runs;
}
