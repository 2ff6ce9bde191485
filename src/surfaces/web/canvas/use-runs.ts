/** The run on a canvas: started here, named by the address, or found again after a reload. */
import { useEffect, useMemo, useRef } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { describeError } from '../kit/describe-error.ts';
import { keptAt } from '../kit/kept-state.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import { keepLastValues, showPast } from './past-run.ts';
import { RunClient } from './run-client.ts';

/** Shows the open run of this tab again, else the person's own newest run of the workflow while it is open. */
async function findRunAgain(
  connection: CanvasConnection,
  client: WorkflowClient,
  runs: RunClient,
): Promise<void> {
  const { workflowId, owner, presence, board } = connection;
  const kept = keptAt('run', owner).read();
  if (kept !== null && (await client.runs.list({ run_id: kept }).page()).runs.length > 0) {
    // A colleague's run that the room has told of meanwhile gives way.
    if (!board.run.isOwn) runs.follow(kept);
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
  // The streams lead from the first segment to the newest; a run that was started or opened meanwhile stays.
  if (!board.run.isFollowed) runs.follow(run.earlier_segments[0]?.run_id ?? run.run_id, { isOwn: false });
}

async function findValuesAgain(
  connection: CanvasConnection,
  client: WorkflowClient,
  runs: RunClient,
): Promise<void> {
  await findRunAgain(connection, client, runs);
  await keepLastValues(client, connection);
}

/**
 * Keeps the first run_id of an own run over a reload of the tab until that run has ended, whichever is shown meanwhile.
 * @returns how to end that
 */
function keepOpenRun({ board, owner }: CanvasConnection): () => void {
  const kept = keptAt('run', owner);
  return board.subscribe(() => {
    const { firstRunId, isOwn } = board.run;
    if (!isOwn || firstRunId === null) return;
    if (!board.hasEnded) kept.write(firstRunId);
    else if (kept.read() === firstRunId) kept.remove();
  });
}

interface ShownRun {
  /** The run that the address names. */
  readonly runPk: string | undefined;
  /** Another run is shown now than the one that the address names. */
  readonly onLeave: (() => void) | undefined;
}

/** Starts and follows the runs of a canvas; begins with the run that the address names, or with the one before a reload. */
export function useRuns(
  connection: CanvasConnection,
  client: WorkflowClient,
  { runPk, onLeave }: ShownRun,
): RunClient {
  const runs = useMemo(() => new RunClient(client, connection.board), [client, connection]);
  const named = useRef(runPk);
  useEffect(() => runs.open(), [runs]);
  useEffect(() => runs.onRunShown(() => onLeave?.()), [runs, onLeave]);
  useEffect(() => {
    // The address has given its run up for the one that is shown.
    if (runPk === undefined && named.current !== undefined) return;
    named.current = runPk;
    const loading = new AbortController();
    const shown =
      runPk === undefined
        ? findValuesAgain(connection, client, runs)
        : showPast({ client, connection, runs }, runPk, loading.signal);
    shown.catch((error: Error) => {
      if (!loading.signal.aborted) connection.notify('error', describeError(error));
    });
    return () => loading.abort();
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
