/** A run of the history on the canvas: a finished one from its records, an open one from its stream. */
import type { WorkflowClient } from '../../client/client.ts';
import type { Run, RunStep } from '../../client/openapi.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { readRecord } from '../runs/joined-run.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import type { RunClient } from './run-client.ts';
import { toNodeRun, toStreamStatus } from './run-steps.ts';

interface PastRunContext {
  readonly client: WorkflowClient;
  readonly connection: CanvasConnection;
  readonly runs: RunClient;
}

/** Reads the segments of a run, the first one first: each answer has begun another. */
async function readSegments(client: WorkflowClient, runPk: string): Promise<[Run, ...Run[]]> {
  const segments: [Run, ...Run[]] = [await client.runs.get(runPk)];
  for (let from = segments[0].resumed_from_run_id; from !== null; from = segments[0].resumed_from_run_id)
    segments.unshift(await client.runs.byRunId(from).record());
  for (let [next] = segments[segments.length - 1]?.resumed_by_run_ids ?? []; next !== undefined;) {
    const segment = await client.runs.byRunId(next).record();
    segments.push(segment);
    [next] = segment.resumed_by_run_ids;
  }
  return segments;
}

/** The steps of nodes, without items and tool calls. */
const listNodeSteps = (segments: readonly Run[]): readonly RunStep[] =>
  segments.flatMap(({ steps }) => steps).filter((step) => step.parent_step_id === null);

/**
 * Keeps the values of the newest run that completed, by whomever: fields show them until something runs here. A run of many
 * steps is read without values.
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
 * Shows a run by the `run_pk` of any of its segments. Of a node with several visits the last one is shown.
 * @throws WorkflowApiError when there is no such run
 */
export async function showPast({ client, connection, runs }: PastRunContext, runPk: string): Promise<void> {
  const { board } = connection;
  const before = board.run.firstRunId;
  const segments = await readSegments(client, runPk);
  // A run that was started meanwhile stays.
  if (board.run.isOwn && board.run.firstRunId !== before) return;
  const last = segments[segments.length - 1] ?? segments[0];
  // The streams lead from segment to segment.
  if (last.status === 'running' || last.status === 'interrupted') return runs.follow(segments[0].run_id);
  // The marks are shown meanwhile; which nodes were edited since is known a moment later.
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
  if (board.run.runId === last.run_id) board.keepDefinition(ran.definition);
}
