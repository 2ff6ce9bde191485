/** The ends of a segment: completed, failed or interrupted by its last advance, or cancelled from outside. */
import { cutText } from '../../../../language/graph/values/cut-text.ts';
import type { Db, Sql } from '../../../../base/db/client.ts';
import type { Progress } from '../../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../../language/graph/definition/skeleton.ts';
import type { NodeWarning } from '../../../../language/nodes/kind.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
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
import { toNodeError, measureOutput } from '../../walk/conclusion.ts';
import { toFrameValue, buildNodeEvent } from '../../walk/frames.ts';
import type { AdvanceWrites } from './writes.ts';
import { buildQuestionFields, toOpenQuestion, toQuestionExecution } from './questions.ts';
import { loadRunOutput } from '../../walk/run-output.ts';
import type { RunContext } from '../context.ts';

/** The most characters of the output in history lists. */
const SUMMARY_LENGTH = 200;

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
  // Also of a rule or a budget that is gone by now: nothing in the definition tells that it has asked.
  await closeQuestions(context.sql, [context.segment.rootRunPk], 'cancelled');
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
