/**
 * One attempt of one effectful node: open the attempt, do the work, conclude. Between the two transactions nothing is
 * locked. What has been concluded is never done again, whatever its host repeats.
 */
import { Secrets } from '../../credentials/vault/secrets.ts';
import type { StepRow } from '../ledger/steps.ts';
import { RunValues } from '../ledger/values.ts';
import { traced } from '../../observe/tracing.ts';
import { noteAttempt } from '../../observe/worker-metrics.ts';
import type { NodeCall, NodeResult } from '../../nodes/kind.ts';
import { kindOf } from '../../nodes/registry.ts';
import type { NodeOutcome, NodeTask, OpenCall } from './protocol.ts';
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

/**
 * Executes an attempt of a node on a host: opens it, or takes over the call that this process has under way for it.
 * @throws errors of the database while the attempt is opened or concluded
 */
export async function runNode(
  deps: ExecuteDeps,
  host: Host,
  task: NodeTask | OpenCall,
): Promise<AttemptEnd<NodeOutcome>> {
  const underWay = 'stepId' in task ? deps.calls.take(task) : null;
  if (underWay !== null) {
    underWay.host.moveTo(host);
    return endNode({ ...underWay, attempt: { ...underWay.attempt, host } });
  }
  const opened = await open(deps, host, task);
  if (opened === null || opened.attempt.kind === 'gone') return done(GONE);
  if (opened.attempt.kind === 'settled') return settledAlready(opened.attempt);
  const meter = new Meter(opened.attempt.execution.node.type);
  const execution = { ...opened.attempt.execution, meter };
  if (opened.attempt.kind === 'unknown') return fail({ deps, task, execution }, opened.attempt.error);

  const { segment, ready } = opened;
  const context = { sql: deps.db, segment, ready, values: new RunValues(deps.db, task.rootRunPk) };
  const attempt: NodeAttempt = { deps, host, task, context, execution };
  return endNode(callNode(attempt, opened.attempt.step));
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

/** The call of a node's kind, under way in an attempt that has been opened. */
export interface NodeWork {
  readonly attempt: NodeAttempt;
  readonly step: StepRow;
  readonly working: Working<NodeResult>;
  readonly beganMs: number;
}

/** Begins the call of a node's kind, in a span of its own: several may run within one activity. */
export function callNode(attempt: NodeAttempt, step: StepRow): NodeWork {
  const { task, execution } = attempt;
  const { id, type } = execution.node;
  const span = {
    name: `node ${type}`,
    kind: 'internal',
    traceparent: null,
    attributes: {
      'run.root_run_pk': task.rootRunPk,
      'node.id': id,
      'node.type': type,
      'node.visit': task.visit,
      'node.attempt': execution.attempt,
    },
  } as const;
  const working = beginWork<NodeResult>(attempt, (call) => traced(span, async () => kindOf(type).run(call)));
  return { attempt, step, working, beganMs: performance.now() };
}

/** Waits for the call of a node, and ends the node with what it came to. */
function endNode({ attempt, step, working, beganMs }: NodeWork): Promise<AttemptEnd<NodeOutcome>> {
  return endWork<NodeResult, NodeOutcome>(attempt, working, {
    conclude(result, { warnings }) {
      const durationMs = Math.round(performance.now() - beganMs);
      return succeed(attempt, { step, result, warnings, durationMs });
    },
    failed: (outcome) => outcome,
  });
}

/** What the work of an attempt came to; the errors of drained words count as its own. */
export type WorkEnd<Result> =
  | { readonly kind: 'worked'; readonly result: Result }
  | { readonly kind: 'threw'; readonly error: unknown };

/** Work under way: its voice and signals, what its templates saw, and its end, which never rejects. */
export interface Working<Result> {
  readonly live: LiveNode;
  readonly scope: ExecutionScope;
  readonly end: Promise<WorkEnd<Result>>;
}

/** Begins the work of an attempt that has been opened, a node's or an agent's turn. Whoever awaits its end closes `live`. */
export function beginWork<Result>(
  attempt: NodeAttempt,
  work: (call: NodeCall<unknown>, live: LiveNode) => Promise<Result> | Result,
): Working<Result> {
  const { deps, context, execution } = attempt;
  const secrets = new Secrets();
  const live = new LiveNode(attempt, secrets);
  const scope = new ExecutionScope(context, execution);
  const beganMs = performance.now();
  const note = (outcome: 'completed' | 'failed'): void =>
    noteAttempt(execution.node.type, outcome, (performance.now() - beganMs) / 1_000);
  const run = async (): Promise<WorkEnd<Result>> => {
    try {
      await loadFor(context, execution.node);
      const call = buildCall(scope, {
        signal: live.signal,
        tools: execution.meter.over(deps.tools.attempt(secrets, live)),
        emit: live,
      });
      const result = redact(await work(call, live), secrets);
      await outlastOutage(() => live.drain());
      note('completed');
      return { kind: 'worked', result };
    } catch (error) {
      note('failed');
      await live.drain().catch(() => undefined);
      return { kind: 'threw', error: redactError(error, secrets) };
    }
  };
  return { live, scope, end: run() };
}

export interface WorkEnding<Result, End> {
  /** Writes the end of the work, while the attempt is still alive for its host. */
  readonly conclude: (result: Result, scope: ExecutionScope) => Promise<AttemptEnd<End>>;
  /** The end of an attempt whose node has failed, or is not waited for any more. */
  readonly failed: (outcome: NodeOutcome) => End;
}

/** Waits for work, and concludes it or judges its failure. */
export async function endWork<Result, End>(
  attempt: NodeAttempt,
  { live, scope, end }: Working<Result>,
  { conclude, failed }: WorkEnding<Result, End>,
): Promise<AttemptEnd<End>> {
  try {
    const worked = await end;
    if (worked.kind === 'worked') return await conclude(worked.result, scope);
    const judged = await failAttempt(attempt, live, worked.error);
    if (judged.kind === 'gone') return done(failed(GONE));
    if (judged.kind !== 'ended') return judged;
    const ended = await fail(attempt, judged.error);
    return ended.kind === 'done' ? done(failed(ended.result)) : ended;
  } finally {
    live.close();
  }
}
