/**
 * One attempt of one effectful node, as a Temporal activity: open the attempt, do the work, conclude. Between the
 * two transactions nothing is locked. What has been concluded is never done again, whatever Temporal repeats.
 */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { RetryPolicy } from '../../src/graph/definition.ts';
import type { Json } from '../../src/graph/value.ts';
import { appendEvents } from '../../src/journal/events.ts';
import { endAttempt, lockStep, writeSteps } from '../../src/journal/steps.ts';
import { RunValues } from '../../src/journal/values.ts';
import { NodeError } from '../../src/nodes/kind.ts';
import type { NodeResult } from '../../src/nodes/kind.ts';
import { kindOf } from '../../src/nodes/registry.ts';
import { Secrets } from '../../src/vault/secrets.ts';
import type { NodeOutcome, NodeTask } from '../contract.ts';
import { openAttempt, openFirstAttempt, spentAttempts } from './attempts.ts';
import type { OpenedRun } from './attempts.ts';
import { asNodeError, errorFields } from './conclusion.ts';
import { GONE } from './end-step.ts';
import type { EngineDeps } from './engine-deps.ts';
import { isDatabaseTrouble, outlastTrouble } from './database-trouble.ts';
import { nodeEvent } from './frames.ts';
import { LiveNode } from './live-node.ts';
import { Meter } from './metering.ts';
import type { MeteredExecution } from './metering.ts';
import { buildCall } from './node-call.ts';
import { fail, settledAlready, succeed } from './node-end.ts';
import { ExecutionScope, loadFor, openRun } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

/** @throws ApplicationFailure: retryable for another attempt, non-retryable with the outcome when the node failed */
export async function runNode(deps: EngineDeps, task: NodeTask): Promise<NodeOutcome> {
  const opened = await open(deps, task);
  if (opened === null || opened.attempt.kind === 'gone') return GONE;
  if (opened.attempt.kind === 'settled') return settledAlready(opened.attempt);
  const meter = new Meter(opened.attempt.execution.node.type);
  const execution: MeteredExecution = { ...opened.attempt.execution, meter };
  if (opened.attempt.kind === 'unknown') return fail(deps, task, execution, opened.attempt.error);

  const { segment, ready } = opened;
  const context: RunContext = {
    sql: deps.db,
    segment,
    ready,
    values: new RunValues(deps.db, task.rootRunPk),
  };
  const secrets = new Secrets();
  const live = new LiveNode(deps, segment, execution, secrets);
  try {
    const began = performance.now();
    const scope = new ExecutionScope(context, execution);
    let result: NodeResult;
    try {
      await loadFor(context, execution.node);
      const call = buildCall(context, execution, scope, {
        signal: live.signal,
        tools: meter.over(deps.tools.attempt(secrets)),
        emit: live,
      });
      result = withoutSecrets(await kindOf(execution.node.type).run(call), secrets);
      await outlastTrouble(() => live.drain());
    } catch (error) {
      await live.drain().catch(() => undefined);
      return await failAttempt(deps, task, execution, live, harmless(error, secrets));
    }
    const durationMs = Math.round(performance.now() - began);
    const worked = { context, execution, step: opened.attempt.step, warnings: scope.warnings };
    return await succeed(deps, task, worked, result, durationMs);
  } finally {
    live.close();
  }
}

/** Opens an attempt: the first in one statement, any other in a transaction that looks at those before it. */
async function open(deps: EngineDeps, task: NodeTask): Promise<OpenedRun | null> {
  const isRepeated = Context.current().info.attempt > 1;
  const first = isRepeated ? null : await openFirstAttempt(deps, task);
  if (first !== null) return first;
  return deps.db.transaction(async (tx) => {
    const context = await openRun(tx, deps.plans, task, true);
    if (context === null) return null;
    const attempt = await openAttempt(context, task);
    return { attempt, segment: context.segment, ready: context.ready };
  });
}

/** What a node leaves behind holds none of the secrets that it was given: services echo what they are sent. */
export function withoutSecrets<Result>(result: Result, secrets: Secrets): Result {
  return secrets.isEmpty ? result : (secrets.json(result as unknown as Json) as unknown as Result);
}

/** The same failure with the secrets struck out of its words. */
export function harmless(error: unknown, secrets: Secrets): unknown {
  if (secrets.isEmpty || !(error instanceof Error)) return error;
  if (error instanceof NodeError) {
    const { code, message, retryable, status, retryAfterMs } = error;
    return new NodeError(code, secrets.text(message), {
      retryable,
      ...(status === null ? {} : { status }),
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    });
  }
  error.message = secrets.text(error.message);
  error.stack = secrets.text(error.stack ?? '');
  error.cause = undefined;
  return error;
}

/** A failed attempt: cancelled, another one, or the end of the node. */
export async function failAttempt(
  deps: EngineDeps,
  task: NodeTask,
  execution: MeteredExecution,
  live: LiveNode,
  thrown: unknown,
): Promise<NodeOutcome> {
  await live.temporalsWord();
  const { cancellationDetails, cancellationSignal } = Context.current();
  if (cancellationDetails?.cancelRequested || live.isFenced || cancellationSignal.aborted) {
    await execution.meter.recordAbandoned(deps.db, task, execution).catch((err: unknown) => {
      deps.log.warn(
        { err, run_pk: task.runPk, node_id: task.nodeId },
        'the usage of an attempt was not recorded',
      );
    });
  }
  if (cancellationDetails?.cancelRequested) throw new CancelledFailure('The run was cancelled');
  if (live.isFenced) return GONE;
  // The attempt stays open: the next one decides by its record.
  if (cancellationSignal.aborted) {
    throw ApplicationFailure.retryable('Temporal has given the attempt up', 'attempt_abandoned');
  }
  if (isDatabaseTrouble(thrown)) {
    throw ApplicationFailure.retryable('The database cannot be reached', 'database_unavailable');
  }
  const error = live.timedOut && !(thrown instanceof NodeError) ? timeoutOf(execution) : asNodeError(thrown);
  if (error.code === 'internal_error')
    deps.log.error({ err: thrown, run_pk: task.runPk, node_id: task.nodeId }, 'a node failed unexpectedly');
  const delayMs = error.retryable
    ? await outlastTrouble(() => scheduleRetry(deps, task, execution, error))
    : null;
  if (delayMs === null) return fail(deps, task, execution, error);
  throw ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: false,
    nextRetryDelay: delayMs,
  });
}

function timeoutOf({ node }: NodeExecution): NodeError {
  const message = `The node did not end within ${node.policy.timeoutMs} ms`;
  return new NodeError('timeout', message, { retryable: true });
}

/** How long the next attempt waits after so many: the node's backoff, or what the other side asked for. */
export function delayBefore(retry: RetryPolicy, spent: number, error: NodeError): number {
  const backoff = retry.initialIntervalMs * retry.backoffCoefficient ** (spent - 1);
  return Math.round(Math.max(Math.min(backoff, retry.maxIntervalMs), error.retryAfterMs ?? 0));
}

/**
 * Records the failed attempt and tells of the next.
 * @returns the delay in milliseconds; null when no attempt is left, or what was sent may not be sent again
 */
async function scheduleRetry(
  deps: EngineDeps,
  task: NodeTask,
  execution: MeteredExecution,
  error: NodeError,
): Promise<number | null> {
  return deps.db.transaction(async (tx) => {
    const context = await openRun(tx, deps.plans, task, true);
    const step = await lockStep(tx, task.runPk, task.nodeId, task.visit, task.itemIndex);
    if (context?.segment.status !== 'running' || step === null || step.attempt !== execution.attempt)
      return null;
    if (step.effect === 'at_most_once' && step.sent_at !== null) return null;
    const { retry } = execution.node;
    const spent = spentAttempts(step, execution.retriesSince) + 1;
    if (spent >= retry.maxAttempts) return null;
    const delayMs = delayBefore(retry, spent, error);
    const fields = errorFields(error, spent);
    // Recorded once, also when this transaction is repeated because its first answer was lost.
    if (step.attempts.at(-1)?.status === 'running') {
      await execution.meter.record(tx, context.segment, execution);
    }
    endAttempt(step, 'failed', fields, new Date().toISOString());
    await writeSteps(tx, [step]);
    const { code, message, retryable } = fields;
    await appendEvents(tx, task.runPk, [
      nodeEvent('node_retry', execution, {
        error: { code: code ?? '', message: message ?? '', retryable: retryable ?? true },
        next_attempt: step.attempt + 1,
        delay_ms: delayMs,
      }),
    ]);
    return delayMs;
  });
}
