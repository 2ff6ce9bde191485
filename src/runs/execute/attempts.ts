/**
 * The attempts of an effectful node execution: opened before anything leaves the process, so that after a crash the
 * next worker knows what may have happened and decides by the node's effect class (SPEC REL-G3).
 */
import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../graph/value.ts';
import { appendEvents } from '../ledger/events.ts';
import type { Segment } from '../ledger/segments.ts';
import { beginStepAlone } from '../ledger/step-alone.ts';
import { endAttempt, lockStep, writeSteps } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import type { EngineDeps } from './engine-deps.ts';
import { beginStep } from './fold.ts';
import { nodeEvent } from './frames.ts';
import type { ReadyPlan } from './plans.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

/** Workers that one execution of a node may lose before it is taken for what kills them. */
export const MAX_LOST = 5;

export type Opened =
  /** Go on: this attempt is ours. */
  | { readonly kind: 'open'; readonly execution: NodeExecution; readonly step: StepRow }
  /** An earlier attempt has ended the node already. */
  | { readonly kind: 'settled'; readonly outcome: NodeOutcome; readonly step: StepRow }
  /** It must not be tried again: an effect may have happened that must not be repeated, or too many workers were lost. */
  | {
      readonly kind: 'unknown';
      readonly execution: NodeExecution;
      readonly step: StepRow;
      readonly error: NodeError;
    }
  /** The run has ended. */
  | { readonly kind: 'gone' };

/**
 * Attempts that counted against the node's own limit: those that ended by themselves.
 * @param since the attempt in which the piece of work began that has the limit: a turn of an agent
 */
export function spentAttempts(step: StepRow, since = 1): number {
  return step.attempts.filter(({ status, attempt }) => status === 'failed' && attempt >= since).length;
}

/** The execution of a task, with its step if there is one already. */
export async function executionOf(
  context: Pick<RunContext, 'sql' | 'ready'>,
  task: NodeTask,
  step: StepRow | null,
): Promise<NodeExecution> {
  const node = context.ready.nodeById.get(task.nodeId);
  if (node === undefined) throw new NodeError('internal_error', `The plan has no node ${task.nodeId}`);
  return {
    node,
    visit: task.visit,
    depth: task.depth,
    position: task.position,
    iteration: task.iteration,
    loop: task.loop,
    stepId: step?.step_id ?? randomUUID(),
    attempt: step?.attempt ?? 1,
    item: task.itemIndex < 0 ? null : await itemOf(context, task),
  };
}

/** An attempt, and the run as it was when the attempt was opened. */
export interface OpenedRun {
  readonly attempt: Opened;
  readonly segment: Segment;
  readonly ready: ReadyPlan;
}

/**
 * Opens the first attempt of a task in one statement, which is how nearly every attempt begins.
 * @returns null when it is not the first, or the run does not run: nothing was written then
 */
export async function openFirstAttempt(deps: EngineDeps, task: NodeTask): Promise<OpenedRun | null> {
  const ready = await deps.plans.ofSegment(task);
  if (ready === null) return null;
  const execution = await executionOf({ sql: deps.db, ready }, task, null);
  const step = beginStep({ segment: task }, execution);
  const started = nodeEvent('node_started', execution);
  const segment = await beginStepAlone(deps.db, task.organizationId, step, [started]);
  return segment === null ? null : { attempt: { kind: 'open', execution, step }, segment, ready };
}

/** Opens the next attempt of a task, in the caller's transaction (the segment's row is locked). */
export async function openAttempt(context: RunContext, task: NodeTask): Promise<Opened> {
  const { sql, segment } = context;
  if (segment.status !== 'running' || segment.runPk !== task.runPk) return { kind: 'gone' };
  const step = await lockStep(sql, task.runPk, task.nodeId, task.visit, task.itemIndex);
  const base = await executionOf(context, task, step);
  if (step === null) {
    const opened = beginStep(context, base);
    await writeSteps(sql, [opened]);
    await appendEvents(sql, segment.runPk, [nodeEvent('node_started', base)]);
    return { kind: 'open', execution: base, step: opened };
  }
  if (step.outcome !== null)
    return { kind: 'settled', outcome: step.outcome as unknown as NodeOutcome, step };
  if (step.status !== 'running') return { kind: 'gone' };
  return reopen(context, base, step);
}

async function reopen(context: RunContext, base: NodeExecution, step: StepRow): Promise<Opened> {
  const { sql, segment } = context;
  const last = step.attempts.at(-1);
  const lost = last?.status === 'running';
  if (lost && step.effect === 'at_most_once' && step.sent_at !== null) {
    const message = 'The worker was lost after the call was sent: whether it had its effect is unknown';
    return { kind: 'unknown', execution: base, step, error: new NodeError('outcome_unknown', message) };
  }
  if (lost && step.attempts.filter((attempt) => attempt.status === 'lost').length >= MAX_LOST) {
    const error = new NodeError('node_lost', `The node has lost ${MAX_LOST + 1} workers`);
    return { kind: 'unknown', execution: base, step, error };
  }
  const now = new Date().toISOString();
  if (lost) endAttempt(step, 'lost', { code: 'worker_lost', message: 'The worker was lost' }, now);
  step.attempt += 1;
  step.sent_at = null;
  step.attempts.push({
    attempt: step.attempt,
    status: 'running',
    started_at: now,
    completed_at: null,
    duration_ms: null,
    error: null,
  });
  const execution = { ...base, attempt: step.attempt };
  const events = [];
  if (lost) {
    const error: JsonObject = { code: 'worker_lost', message: 'The worker was lost', retryable: true };
    // At most once and still here: nothing was sent.
    const repeated = step.effect !== 'pure' && step.effect !== 'at_most_once';
    events.push(
      nodeEvent('node_retry', base, {
        error,
        next_attempt: step.attempt,
        delay_ms: 0,
        possibly_repeated: repeated,
      }),
    );
  }
  if (step.node_type === 'llm' || step.node_type === 'agent') {
    events.push(nodeEvent('token_reset', execution, { reason: 'retry' }));
  }
  await writeSteps(sql, [step]);
  if (events.length > 0) await appendEvents(sql, segment.runPk, events);
  return { kind: 'open', execution, step };
}

/** The item of a mapped node's task, from the items that its parent step has recorded. */
async function itemOf(context: Pick<RunContext, 'sql'>, task: NodeTask): Promise<NodeExecution['item']> {
  const rows = await context.sql.query<{ step_id: string; value: Json }>(
    `SELECT step_id, input->'items'->$4::int AS value FROM run_steps
     WHERE run_pk = $1 AND node_id = $2 AND visit = $3 AND item_index = -1`,
    [task.runPk, task.nodeId, task.visit, task.itemIndex],
  );
  const row = rows[0];
  if (row === undefined) throw new NodeError('internal_error', 'The mapped node has no step');
  return { index: task.itemIndex, value: row.value, parentStepId: row.step_id };
}
