/** Shows a run from the history on the canvas: a finished one from its records, an open one from its stream. */
import type { WorkflowClient } from '../../client/client.ts';
import type { Run, RunStep } from '../../client/openapi.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { readRecord } from '../runs/joined-run.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import type { RunClient } from './run-client.ts';
import { toNodeRun, toStreamStatus } from './run-steps.ts';

interface PastRunContext {
  readonly client: WorkflowClient;
  readonly connection: CanvasConnection;
  readonly runs: RunClient;
}

/** Reads the segments of a run from first to last: each answer starts another one. */
async function readSegments(client: WorkflowClient, runPk: string): Promise<[Run, ...Run[]]> {
  const named = await client.runs.get(runPk);
  const segments: [Run, ...Run[]] = [named];
  for (let first: Run = named; first.resumed_from_run_id !== null;) {
    first = await client.runs.byRunId(first.resumed_from_run_id).record();
    segments.unshift(first);
  }
  for (let [next] = named.resumed_by_run_ids; next !== undefined;) {
    const last = await client.runs.byRunId(next).record();
    segments.push(last);
    [next] = last.resumed_by_run_ids;
  }
  return segments;
}

/** Lists the steps of nodes, without those of items and tool calls. */
const listNodeSteps = (segments: readonly Run[]): readonly RunStep[] =>
  segments.flatMap(({ steps }) => steps).filter((step) => step.parent_step_id === null);

/**
 * Reads the values of the newest run that succeeded, whoever started it: fields preview them until a run starts here. A run with
 * many steps is read without values.
 */
export async function keepLastValues(client: WorkflowClient, connection: CanvasConnection): Promise<void> {
  const query = {
    workflow_id: connection.workflowId,
    status: 'succeeded',
    segments: 'newest',
    limit: 1,
  } as const;
  const [newest] = (await client.runs.list(query).page()).runs;
  if (newest === undefined) return;
  const segments = await Promise.all(
    [...newest.earlier_segments, newest].map(({ id }) => readRecord(client, id)),
  );
  const outputs = listNodeSteps(segments)
    .filter(({ status }) => status === 'succeeded')
    .map((step) => [step.node_id, step.output as Json] as const);
  connection.board.keepEarlier(segments[0]?.input as Json | undefined, outputs);
}

/**
 * Shows a run by the `run_pk` of any of its segments, each node with its last visit.
 * @param signal aborted when another run is to be shown
 * @throws WorkflowApiError when there is no such run
 */
export async function showPast(
  { client, connection, runs }: PastRunContext,
  runPk: string,
  signal: AbortSignal,
): Promise<void> {
  const { board } = connection;
  const before = board.run.firstRunId;
  const segments = await readSegments(client, runPk);
  if (signal.aborted) return;
  // A run that this user started meanwhile stays on the canvas.
  if (board.run.isOwn && board.run.firstRunId !== before) return;
  const last = segments[segments.length - 1] ?? segments[0];
  // The stream of the first segment leads to the others.
  if (last.status === 'running' || last.status === 'interrupted') return runs.follow(segments[0].run_id);
  // The statuses are shown while the definition is read, which tells the nodes that were edited since.
  const path = { run_pk: last.id };
  const definition = client.request('GET', '/workflow-runs/{run_pk}/definition', { path });
  board.show({
    runId: last.run_id,
    status: toStreamStatus(last.status),
    error: last.error_message ?? '',
    output: last.output as JsonObject[string],
    nodes: listNodeSteps(segments).map((step) => [step.node_id, toNodeRun(step)] as const),
  });
  const ran = await definition;
  if (!signal.aborted && board.run.runId === last.run_id) board.keepDefinition(ran.definition);
}
