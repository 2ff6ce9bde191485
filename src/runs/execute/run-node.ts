/**
 * One attempt of one effectful node: open the attempt, do the work, conclude. Between the two transactions nothing is
 * locked. What has been concluded is never done again, whatever its host repeats.
 */
import { Secrets } from '../../credentials/vault/secrets.ts';
import { RunValues } from '../ledger/values.ts';
import type { NodeCall, NodeResult } from '../../nodes/kind.ts';
import { kindOf } from '../../nodes/registry.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import { failAttempt, openAttempt, openFirstAttempt } from './attempts.ts';
import type { NodeAttempt, OpenedRun } from './attempts.ts';
import type { ExecuteDeps } from './deps.ts';
import { done } from './host.ts';
import type { AttemptEnd, Host } from './host.ts';
import { LiveNode } from './live-work.ts';
import { Meter } from './metering.ts';
import { GONE, fail, settledAlready, succeed } from './node-end.ts';
import { outlastOutage } from './outlast-outage.ts';
import { redact, redactError } from './redact.ts';
import { ExecutionScope, buildCall, loadFor, lockRun } from './run-context.ts';

/** Executes an attempt of a node on a host. @throws errors of the database while the attempt is opened or concluded */
export async function runNode(
  deps: ExecuteDeps,
  host: Host,
  task: NodeTask,
): Promise<AttemptEnd<NodeOutcome>> {
  const opened = await open(deps, host, task);
  if (opened === null || opened.attempt.kind === 'gone') return done(GONE);
  if (opened.attempt.kind === 'settled') return settledAlready(opened.attempt);
  const meter = new Meter(opened.attempt.execution.node.type);
  const execution = { ...opened.attempt.execution, meter };
  if (opened.attempt.kind === 'unknown') return fail({ deps, task, execution }, opened.attempt.error);

  const { segment, ready } = opened;
  const context = { sql: deps.db, segment, ready, values: new RunValues(deps.db, task.rootRunPk) };
  const { step } = opened.attempt;
  const attempt: NodeAttempt = { deps, host, task, context, execution };
  const began = performance.now();
  return attemptNode<NodeResult, NodeOutcome>(attempt, {
    work: (call) => kindOf(execution.node.type).run(call),
    conclude(result, { warnings }) {
      const durationMs = Math.round(performance.now() - began);
      return succeed(attempt, { step, result, warnings, durationMs });
    },
    failed: (outcome) => outcome,
  });
}

/** Opens an attempt: the first in one statement, any other in a transaction that looks at those before it. */
async function open(deps: ExecuteDeps, host: Host, task: NodeTask): Promise<OpenedRun | null> {
  const first = host.attempt > 1 ? null : await openFirstAttempt(deps, task);
  if (first !== null) return first;
  return deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps.plans, task);
    if (context === null) return null;
    const attempt = await openAttempt(context, task);
    return { attempt, segment: context.segment, ready: context.ready };
  });
}

export interface AttemptedWork<Result, End> {
  readonly work: (call: NodeCall<unknown>, live: LiveNode) => Promise<Result> | Result;
  /** Writes the end of the work, while the attempt is still alive for its host. */
  readonly conclude: (result: Result, scope: ExecutionScope) => Promise<AttemptEnd<End>>;
  /** The end of an attempt whose node has failed, or is not waited for any more. */
  readonly failed: (outcome: NodeOutcome) => End;
}

/** Does the work of an attempt that has been opened, a node's or an agent's turn: its voice, signals and secrets. */
export async function attemptNode<Result, End>(
  attempt: NodeAttempt,
  { work, conclude, failed }: AttemptedWork<Result, End>,
): Promise<AttemptEnd<End>> {
  const { deps, context, execution } = attempt;
  const secrets = new Secrets();
  const live = new LiveNode(attempt, secrets);
  try {
    const scope = new ExecutionScope(context, execution);
    let result: Result;
    try {
      await loadFor(context, execution.node);
      const call = buildCall(scope, {
        signal: live.signal,
        tools: execution.meter.over(deps.tools.attempt(secrets)),
        emit: live,
      });
      result = redact(await work(call, live), secrets);
      await outlastOutage(() => live.drain());
    } catch (error) {
      await live.drain().catch(() => undefined);
      const end = await failAttempt(attempt, live, redactError(error, secrets));
      if (end.kind === 'gone') return done(failed(GONE));
      if (end.kind !== 'ended') return end;
      const ended = await fail(attempt, end.error);
      return ended.kind === 'done' ? done(failed(ended.result)) : ended;
    }
    return await conclude(result, scope);
  } finally {
    live.close();
  }
}
