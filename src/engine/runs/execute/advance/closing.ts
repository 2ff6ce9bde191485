/** The ends of a segment: completed, failed or interrupted by its last advance, or cancelled from outside. */
import { cutText } from '../../../../language/graph/values/cut-text.ts';
import type { Db, Sql } from '../../../../base/db/client.ts';
import { EDGE } from '../../../../language/graph/schedule/schedule.ts';
import type { Progress } from '../../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../../language/graph/definition/skeleton.ts';
import { END_INDEX } from '../../../../language/graph/definition/definition.ts';
import { findReferences, render } from '../../../../language/graph/template/template.ts';
import type { NodeWarning } from '../../../../language/nodes/kind.ts';
import { setOwn } from '../../../../language/graph/values/value.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import { WHOLE_STATE } from '../../../../language/graph/template/roots.ts';
import { cancelOpenWork, cancelTree } from '../../ledger/write/cancel.ts';
import { closeSummed } from '../../ledger/write/events.ts';
import { readFailedStep, readRunFailure } from '../../ledger/read/failed-run.ts';
import { addOutbox } from '../../ledger/write/outbox-entry.ts';
import { closeQuestions, readPendingQuestions } from '../../ledger/questions/questions.ts';
import { readCurrentSegment } from '../../ledger/write/segments.ts';
import type { Segment } from '../../ledger/write/segments.ts';
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
import { buildQuestionFields, toOpenQuestion, toQuestionExecution } from './questions.ts';
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

interface RunOutput {
  readonly output: Json;
  /** Of the template `config.output`: paths that do not exist. */
  readonly warnings: readonly NodeWarning[];
}

/**
 * Loads what the run's output reads: `config.output`, else the output of the only node before the end, else the outputs of all such
 * nodes by id (2.11).
 * @returns renders the output
 */
async function loadRunOutput(context: RunContext, progress: Progress): Promise<() => RunOutput> {
  const { plan } = context.ready;
  const { output: template } = plan;
  if (template !== undefined) {
    const needsState = findReferences(template).references.length > 0;
    if (needsState) await context.values.load(['input', WHOLE_STATE]);
    const scope = createEndScope(context);
    return () =>
      scope === null
        ? { output: null, warnings: [] }
        : { output: render(template, scope.with()), warnings: scope.warnings };
  }
  const sources = plan.nodes.filter((node) =>
    node.out.some((edge) => plan.edges[edge]?.target === END_INDEX && progress.edges[edge] === EDGE.taken),
  );
  await context.values.load(sources.map((node) => node.id));
  return () => {
    const [only, ...others] = sources;
    if (only === undefined) return { output: null, warnings: [] };
    if (others.length === 0) return { output: context.values.output(only.id) ?? null, warnings: [] };
    const output: JsonObject = {};
    for (const node of sources) setOwn(output, node.id, context.values.output(node.id) ?? null);
    return { output, warnings: [] };
  };
}

/** Renders the output of a walk that has reached its end. @throws what a template throws */
export async function renderRunOutput(context: RunContext, progress: Progress): Promise<RunOutput> {
  const renderOutput = await loadRunOutput(context, progress);
  return renderOutput();
}

const summarize = (output: Json): string =>
  cutText(typeof output === 'string' ? output : JSON.stringify(output), SUMMARY_LENGTH);

/** Closes the segment as completed; as failed when its output cannot be rendered. */
export async function closeCompleted(
  context: RunContext,
  progress: Progress,
  writes: AdvanceWrites,
): Promise<RunFailure | null> {
  const renderOutput = await loadRunOutput(context, progress);
  let output: Json;
  let outputBytes: number;
  let warnings: readonly NodeWarning[];
  try {
    const rendered = renderOutput();
    warnings = rendered.warnings;
    output = context.redaction.json(rendered.output);
    outputBytes = measureOutput(output);
  } catch (error) {
    const failure = toNodeError(error);
    return closeFailed(context, { code: failure.code, message: failure.message, nodeId: null }, writes);
  }
  writes.close({
    from: ['running'],
    status: 'completed',
    payload: {
      ...toFrameValue('output', output, outputBytes),
      ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    },
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
  if (context.ready.asks) await closeQuestions(context.sql, [context.segment.rootRunPk], 'cancelled');
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

/** Reads how a run has ended from the row of its newest segment; null while it is open. */
export async function readRunEnd(sql: Sql, segment: Segment): Promise<RunEnd | null> {
  const { status } = segment;
  if (status === 'running' || status === 'interrupted') return null;
  const failure = status === 'failed' ? await readRunFailure(sql, segment) : null;
  const isOfNode = failure !== null && failure.nodeId !== null;
  return { status, error: isOfNode ? { ...failure, nodeLabel: failure.nodeId } : failure };
}

/**
 * Fails a run that no advance can continue, unless it has ended: somebody may have cancelled it since its last attempt.
 * @returns how it has ended, and its newest segment; null when there is none
 */
export async function closePoisoned(
  db: Db,
  run: RunRef,
  failure: RunFailure,
): Promise<{ readonly segment: Segment; readonly end: RunEnd } | null> {
  return db.transaction(async (tx) => {
    const segment = await readCurrentSegment(tx, run, true);
    if (segment === null) return null;
    const end = await readRunEnd(tx, segment);
    if (end !== null) return { segment, end };
    await cancelOpenWork(tx, [run.rootRunPk], 'cancelled');
    const error = toErrorFields(failure);
    await closeSummed(tx, segment, {
      from: ['running', 'interrupted'],
      status: 'failed',
      payload: { error },
      error,
    });
    return { segment, end: { status: 'failed', error: failure } };
  });
}

/** Pauses the run: its stream ends with the open questions, including those of earlier segments. @returns the questions */
export async function closeInterrupted(
  context: RunContext,
  writes: AdvanceWrites,
): Promise<readonly OpenQuestion[]> {
  await writes.flush(context);
  const pending = await readPendingQuestions(context.sql, context.segment);
  for (const row of pending) {
    if (row.run_pk === context.segment.runPk) continue;
    const execution = toQuestionExecution(context, row);
    if (execution === null) continue;
    writes.event(buildNodeEvent('interrupt', execution, buildQuestionFields(row)));
  }
  const interrupts = pending.map((row) => ({ node_id: row.node_id, ...buildQuestionFields(row) }));
  writes.close({ from: ['running'], status: 'interrupted', payload: { interrupts } });
  // Only a run with a depth has a caller.
  if (context.segment.childDepth > 0) await addOutbox(context.sql, { ...context.segment, kind: 'waits' });
  return pending.map((row) => toOpenQuestion(context, row));
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
    return { code: stop.reason, message: 'The run reached its maximum number of node executions', nodeId };
  }
  const failed = await readFailedStep(context.sql, context.segment, nodeId);
  return {
    code: failed?.error?.code ?? 'node_failed',
    message: failed?.error?.message ?? 'A node failed',
    nodeId: failed?.nodeId ?? nodeId,
  };
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
    const end = await readRunEnd(tx, segment);
    if (end !== null) return end;
    await cancelTree(tx, segment, reason);
    return cancelled;
  });
}
