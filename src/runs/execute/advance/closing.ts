/** The ends of a segment: completed, failed or interrupted by its last advance, or cancelled from outside. */
import { cutText } from '../../../graph/cut-text.ts';
import type { Db } from '../../../db/client.ts';
import { EDGE } from '../../../graph/schedule.ts';
import type { Progress } from '../../../graph/schedule.ts';
import type { Skeleton } from '../../../graph/skeleton.ts';
import { END_INDEX } from '../../../graph/definition.ts';
import { findReferences, render } from '../../../graph/template.ts';
import { setOwn } from '../../../graph/value.ts';
import type { Json, JsonObject } from '../../../graph/value.ts';
import { WHOLE_STATE } from '../../../graph/roots.ts';
import { abandonSteps, cancelTree } from '../../ledger/cancel.ts';
import { closeRun } from '../../ledger/events.ts';
import { addOutbox } from '../../ledger/outbox-entry.ts';
import { readCurrentSegment } from '../../ledger/segments.ts';
import type { Segment } from '../../ledger/segments.ts';
import type { RunRef } from '../../engine.ts';
import {
  toErrorFields,
  formatNodeLabel,
  type OpenQuestion,
  type RunEnd,
  type RunFailure,
} from '../protocol.ts';
import { toNodeError, measureOutput } from '../attempt/conclusion.ts';
import { toFrameValue, buildNodeEvent } from '../frames.ts';
import type { AdvanceWrites } from './writes.ts';
import { cancelQuestions, readPendingQuestions, buildQuestionFields, toOpenQuestion } from './questions.ts';
import { ExecutionScope } from '../context.ts';
import type { NodeExecution, RunContext } from '../context.ts';

/** The most characters of the output in history lists. */
const SUMMARY_LENGTH = 200;

/** Creates the scope of `config.output`: all values that a node before the end of the run could see. */
function createEndScope(context: RunContext): ExecutionScope | null {
  const node = context.ready.plan.nodes[0];
  if (node === undefined) return null;
  const execution: NodeExecution = {
    node,
    visit: 0,
    depth: 0,
    position: 0,
    iteration: null,
    loop: {},
    stepId: context.segment.runPk,
    attempt: 1,
    item: null,
  };
  return new ExecutionScope(context, execution);
}

/**
 * Renders the run's output: `config.output`, else the output of the only node before the end, else the outputs of all such nodes
 * by id (2.11).
 */
async function renderRunOutput(context: RunContext, progress: Progress): Promise<Json> {
  const { plan } = context.ready;
  if (plan.output !== undefined) {
    const needsState = findReferences(plan.output).references.length > 0;
    if (needsState) await context.values.load(['input', WHOLE_STATE]);
    const scope = createEndScope(context);
    return scope === null ? null : render(plan.output, scope.with());
  }
  const sources = plan.nodes.filter((node) =>
    node.out.some((edge) => plan.edges[edge]?.target === END_INDEX && progress.edges[edge] === EDGE.taken),
  );
  await context.values.load(sources.map((node) => node.id));
  const [only, ...others] = sources;
  if (only === undefined) return null;
  if (others.length === 0) return context.values.output(only.id) ?? null;
  const output: JsonObject = {};
  for (const node of sources) setOwn(output, node.id, context.values.output(node.id) ?? null);
  return output;
}

const summarize = (output: Json): string =>
  cutText(typeof output === 'string' ? output : JSON.stringify(output), SUMMARY_LENGTH);

/** Closes the segment as completed; as failed when its output cannot be rendered. */
export async function closeCompleted(
  context: RunContext,
  progress: Progress,
  writes: AdvanceWrites,
): Promise<RunFailure | null> {
  let output: Json;
  let outputBytes: number;
  try {
    output = await renderRunOutput(context, progress);
    outputBytes = measureOutput(output);
  } catch (error) {
    const failure = toNodeError(error);
    return closeFailed(context, { code: failure.code, message: failure.message, nodeId: null }, writes);
  }
  writes.close({
    from: ['running'],
    status: 'completed',
    payload: toFrameValue('output', output, outputBytes),
    output,
    outputSummary: output === null ? null : summarize(output),
  });
  return null;
}

/** Closes the segment as failed; the open questions of the run can no longer be answered. */
async function closeFailed(
  context: RunContext,
  failure: RunFailure,
  writes: AdvanceWrites,
): Promise<RunFailure> {
  if (context.ready.asks) await cancelQuestions(context.sql, context.segment.rootRunPk);
  const error = toErrorFields(failure);
  writes.close({ from: ['running', 'interrupted'], status: 'failed', payload: { error }, error });
  return failure;
}

/** Closes a segment as failed that was stopped before the end of its graph. @returns the reason */
export async function closeStopped(
  context: RunContext,
  { graph, progress }: { readonly graph: Skeleton; readonly progress: Progress },
  writes: AdvanceWrites,
): Promise<RunFailure> {
  await writes.flush(context);
  const failure = await describeStop(context, graph, progress);
  const node = context.ready.nodeById.get(failure.nodeId ?? '');
  await closeFailed(context, failure, writes);
  return node === undefined ? failure : { ...failure, nodeLabel: formatNodeLabel(node) };
}

/** Fails a run that no advance can continue, in any state. @returns its newest segment; null when there is none */
export async function closePoisoned(db: Db, run: RunRef, failure: RunFailure): Promise<Segment | null> {
  return db.transaction(async (tx) => {
    const segment = await readCurrentSegment(tx, run, true);
    if (segment === null) return null;
    await cancelQuestions(tx, run.rootRunPk);
    const error = toErrorFields(failure);
    const closed = await closeRun(tx, {
      runPk: segment.runPk,
      from: ['running'],
      status: 'failed',
      payload: { error, usage: null, credits: 0, handled_error_count: segment.handledErrorCount },
      error,
    });
    if (closed) await abandonSteps(tx, [run.rootRunPk]);
    return segment;
  });
}

/** Pauses the run: its stream ends with the open questions, including those of earlier segments. @returns the questions */
export async function closeInterrupted(
  context: RunContext,
  writes: AdvanceWrites,
): Promise<readonly OpenQuestion[]> {
  await writes.flush(context);
  const pending = await readPendingQuestions(context.sql, context.segment.rootRunPk);
  for (const row of pending) {
    if (row.run_pk === context.segment.runPk) continue;
    const node = context.ready.nodeById.get(row.node_id);
    if (node === undefined) continue;
    const execution: NodeExecution = {
      node,
      visit: row.visit,
      depth: 0,
      position: 0,
      iteration: null,
      loop: {},
      stepId: row.step_id,
      attempt: 1,
      item: null,
    };
    writes.event(buildNodeEvent('interrupt', execution, buildQuestionFields(row)));
  }
  const interrupts = pending.map((row) => ({ node_id: row.node_id, ...buildQuestionFields(row) }));
  writes.close({ from: ['running'], status: 'interrupted', payload: { interrupts } });
  // Only a run with a depth has a caller.
  if (context.segment.childDepth > 0) await addOutbox(context.sql, { ...context.segment, kind: 'waits' });
  return pending.map((row) => toOpenQuestion(context, row));
}

/** Reads the error of the last step that failed unhandled, preferably of the node `nodeId`. */
async function readNodeFailure(context: RunContext, nodeId: string): Promise<RunFailure> {
  const rows = await context.sql.query<{
    node_id: string;
    error: { code?: string; message?: string } | null;
  }>(
    `SELECT node_id, error FROM run_steps
     WHERE root_run_pk = $1 AND status = 'failed' AND NOT error_handled AND item_index = -1 AND turn = 0
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

/** Describes the failure of a stopped run for its clients and operators. */
async function describeStop(
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
    return { code: stop.reason, message: 'The run has executed the maximum number of nodes', nodeId };
  }
  return readNodeFailure(context, nodeId);
}

interface StoredFailure {
  readonly code: string;
  readonly message: string;
  readonly node_id: string | null;
}

/**
 * Cancels the run unless it has ended: its last advance may have been committed before the cancellation arrived.
 * @returns how it has ended
 */
export async function closeCancelled(db: Db, run: RunRef, reason: string): Promise<RunEnd> {
  const cancelled: RunEnd = { status: 'cancelled', error: null };
  return db.transaction(async (tx) => {
    const segment = await readCurrentSegment(tx, run, true);
    if (segment === null) return cancelled;
    if (segment.status === 'completed') return { status: 'completed', error: null };
    if (segment.status === 'failed') {
      const [row] = await tx.query<{ error: StoredFailure | null }>('SELECT error FROM runs WHERE id = $1', [
        segment.runPk,
      ]);
      return { status: 'failed', error: toRunFailure(row?.error ?? null) };
    }
    await cancelTree(tx, segment, reason);
    return cancelled;
  });
}

function toRunFailure(stored: StoredFailure | null): RunFailure | null {
  return stored === null ? null : { code: stored.code, message: stored.message, nodeId: stored.node_id };
}
