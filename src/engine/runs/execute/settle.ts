/** Ends steps without an attempt of a worker: maps, child runs, and executions that no worker could run. */
import { NodeError } from '../../../language/nodes/kind.ts';
import type { NewEvent } from '../ledger/write/events.ts';
import { lockStep, spentAttempts, type StepRow } from '../ledger/write/steps.ts';
import { withValueShare } from '../ledger/read/value-share.ts';
import { judgeHolder } from '../ledger/write/worker-leases.ts';
import { writeSteps } from '../ledger/write/write-steps.ts';
import { concludeFailure, concludeStep, type Conclusion } from '../walk/conclusion.ts';
import { listLostEffects } from '../walk/effects.ts';
import { endStep } from './attempt/end.ts';
import { buildExecution } from './attempt/execution.ts';
import { createStep } from '../walk/step.ts';
import { loadStateForEnd, type NodeExecution, ExecutionScope } from '../walk/context.ts';
import { belongsToRunningSegment, withLockedRun, type RunContext, type RunScope } from './context.ts';
import type { ExecuteDeps } from './deps.ts';
import { buildEndEvents, buildStartEvent } from '../walk/frames.ts';
import { pauseStep, readPauseOutcome } from './attempt/pause.ts';
import { buildUnknownPause } from './attempt/unknown-effect.ts';
import { GONE_OUTCOME, type NodeOutcome, type NodeTask } from './protocol.ts';

/**
 * Ends the step of a task with the conclusion of `conclude`, in one transaction.
 * @param isLost its worker is: an attempt that is under way may have had its effect
 * @returns the outcome, also of a step that had ended
 */
export async function settleStep(
  deps: ExecuteDeps,
  task: NodeTask,
  conclude: (scope: RunScope, step: StepRow) => Conclusion | Promise<Conclusion>,
  { isLost = false }: { readonly isLost?: boolean } = {},
): Promise<NodeOutcome> {
  const settle = async (context: RunContext | null): Promise<NodeOutcome> => {
    if (context === null || !belongsToRunningSegment(context, task)) return GONE_OUTCOME;
    const { sql, segment } = context;
    const existing = await lockStep(sql, task);
    if (existing?.outcome) return existing.outcome;
    if (existing?.status === 'interrupted') return readPauseOutcome(sql, task);
    const execution = await buildExecution(context, task, { step: existing });
    const step = existing ?? createStep(context, execution);
    if (existing === null)
      await writeSteps(sql, segment, { steps: [step], events: [buildStartEvent(execution)] });
    await loadStateForEnd(context, execution.node);
    const scope = new ExecutionScope(context, execution);
    const isUnderWay = existing?.attempts.at(-1)?.status === 'running';
    const effects = isLost && isUnderWay ? listLostEffects(context, execution, step) : [];
    const conclusion = await endStep(scope, step, {
      conclude: () => conclude(scope, step),
      listEffects: () => effects,
    });
    return conclusion.outcome;
  };
  return withValueShare(deps, task.organizationId, (share) =>
    withLockedRun({ ...deps, share }, task, settle),
  );
}

/**
 * Ends an execution whose activity ended without an outcome: it lost too many workers or exceeded every timeout.
 * @returns null when a worker still runs it, whose end decides
 */
export async function settleLost(
  deps: ExecuteDeps,
  task: NodeTask,
  reason: string,
): Promise<NodeOutcome | null> {
  const isRunning = await deps.db.transaction(async (tx) => {
    const holder = (await lockStep(tx, task))?.held_by ?? null;
    if (holder === null) return false;
    if (holder === deps.worker.workerId) return deps.running.has(task);
    return (await judgeHolder(tx, { asking: deps.worker.workerId, holder })) !== 'lost';
  });
  if (isRunning) return null;
  const unknown = new NodeError('outcome_unknown', 'The request was sent, but its outcome is unknown');
  const paused = await pauseLost(deps, task, unknown);
  if (paused !== null) return paused;
  const conclude = (scope: RunScope, step: StepRow): Conclusion => {
    const isUnknown = step.effect === 'at_most_once' && step.sent_at !== null;
    const error = isUnknown ? unknown : new NodeError('node_lost', `The node could not be run: ${reason}`);
    return concludeFailure(scope, error, spentAttempts(step) + 1);
  };
  return settleStep(deps, task, conclude, { isLost: true });
}

/** Asks people about the request of a lost execution; null when it has ended, sent nothing, or does not ask. */
function pauseLost(deps: ExecuteDeps, task: NodeTask, error: NodeError): Promise<NodeOutcome | null> {
  return withLockedRun(deps, task, async (context) => {
    if (context === null || !belongsToRunningSegment(context, task)) return null;
    const step = await lockStep(context.sql, task);
    if (step?.status !== 'running' || step.outcome !== null) return null;
    const scope = new ExecutionScope(context, await buildExecution(context, task, { step }));
    const pause = await buildUnknownPause(scope, step, { error, status: 'lost' });
    if (pause === null) return null;
    await pauseStep(scope, step, pause);
    return readPauseOutcome(context.sql, task);
  });
}

/** Builds the ended step and the events of a tool call that is not made; the caller writes both. */
export function refuseCall(
  context: RunContext,
  execution: NodeExecution,
  error: NodeError,
): { readonly step: StepRow; readonly events: readonly NewEvent[] } {
  const step: StepRow = { ...createStep(context, execution), attempts: [] };
  const conclusion = concludeFailure(new ExecutionScope(context, execution), error, 0);
  concludeStep(step, conclusion, context.clock.now());
  const ended = buildEndEvents(execution, step, conclusion.events);
  return { step, events: [buildStartEvent(execution), ...ended] };
}

/** Ends a step as failed. */
export const settleFailed = (deps: ExecuteDeps, task: NodeTask, error: NodeError): Promise<NodeOutcome> =>
  settleStep(deps, task, (scope, step) => concludeFailure(scope, error, spentAttempts(step) + 1));
