/**
 * One tool call of an agent: open the attempt, call, write down the answer. A call that has
 * its answer is never made again; whether it went well is for the model to hear, so only our own trouble fails here.
 */
import type { Tx } from '../../db/client.ts';
import { beginCall, endCall, lockCall, readTurns, releaseCall } from '../ledger/agent-records.ts';
import type { AgentCallRow, CallKey } from '../ledger/agent-records.ts';
import { appendEvents } from '../ledger/events.ts';
import { lockStep } from '../ledger/steps.ts';
import { RunValues } from '../ledger/values.ts';
import { asOffered, callablePolicy, runAgentTool } from '../../nodes/agent/offer.ts';
import type { AgentTool } from '../../nodes/agent/agent-tool.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeTools } from '../../nodes/tools.ts';
import { Secrets } from '../../credentials/vault/secrets.ts';
import type { AgentCallTask } from './protocol.ts';
import { notStorable } from './node-end.ts';
import { answerOf, requestOf, callEnded, callRetried, callStarted, failedAnswer } from './agent-answer.ts';
import type { Answer } from './agent-answer.ts';
import { openingOf, timeoutOf, toolOf } from './agent-past.ts';
import { MAX_LOST, delayBefore, errorOf, executionOf, retryOf } from './attempts.ts';
import { outlastOutage } from './outlast-outage.ts';
import type { ExecuteDeps } from './deps.ts';
import { done } from './host.ts';
import type { AttemptEnd, Host } from './host.ts';
import { LiveCall } from './live-work.ts';
import { Meter } from './metering.ts';
import { redact, redactError } from './redact.ts';
import { ExecutionScope, buildCall, idempotencyKeyOf, loadFor, lockRun } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

export interface OpenCall {
  readonly context: RunContext;
  readonly execution: NodeExecution;
  readonly key: CallKey;
  readonly row: AgentCallRow;
  readonly tool: AgentTool;
}

/** Finds a call that has no answer yet, and locks it; null when it has, or its agent has ended. */
export async function findCall(deps: ExecuteDeps, tx: Tx, task: AgentCallTask): Promise<OpenCall | null> {
  const context = await lockRun(tx, deps.plans, task);
  if (context?.segment.status !== 'running' || context.segment.runPk !== task.runPk) return null;
  const step = await lockStep(tx, task);
  if (step?.status !== 'running' || step.outcome !== null) return null;
  const key = { stepId: step.step_id, turn: task.turn, call: task.call };
  const row = await lockCall(tx, key);
  if (row === null || row.status === 'done' || row.status === 'asked') return null;
  const execution = await executionOf(context, task, step);
  return { context, execution, key, row, tool: toolOf(context, execution, requestOf(row).name) };
}

/** Writes down the answer of a call, and tells of its end. */
export async function answerCall({ context, execution, key, row }: OpenCall, answer: Answer): Promise<void> {
  const tookMs = await endCall(context.sql, key, answer);
  const { runPk } = context.segment;
  await appendEvents(context.sql, runPk, [
    callEnded(execution, requestOf(row), { answer, durationMs: tookMs }),
  ]);
}

/** Begins an attempt of a call, and tells of it: a possible repetition is never silent (SPEC REL-G3). @returns its number */
export async function startCall({ context, execution, key, row, tool }: OpenCall): Promise<number> {
  const isLost = row.status === 'running';
  const { effect } = callablePolicy(tool.config);
  // At most once and still here: nothing was sent.
  const isRepeated = isLost && effect !== 'pure' && effect !== 'at_most_once';
  const asked = requestOf(row);
  const event = row.attempt === 0 ? callStarted(execution, asked) : callRetried(execution, asked, isRepeated);
  await appendEvents(context.sql, context.segment.runPk, [event]);
  return beginCall(context.sql, key, isLost);
}

/** Why a call that lost its worker is not made again; null: it is (SPEC REL-effect-classes). */
function lostFor({ row, tool }: OpenCall): NodeError | null {
  if (row.status !== 'running') return null;
  if (callablePolicy(tool.config).effect === 'at_most_once' && row.sent_at !== null) {
    const message = 'The call was sent, but whether it had its effect is unknown: it is not sent again';
    return new NodeError('outcome_unknown', message);
  }
  if (row.lost < MAX_LOST) return null;
  return new NodeError('tool_lost', `The call has lost ${MAX_LOST + 1} workers`);
}

/** An attempt of a call that was opened here. */
interface CallAttempt extends OpenCall {
  readonly deps: ExecuteDeps;
  readonly host: Host;
  readonly task: AgentCallTask;
  readonly number: number;
  readonly meter: Meter;
}

function openCall(deps: ExecuteDeps, host: Host, task: AgentCallTask): Promise<CallAttempt | null> {
  return deps.db.transaction(async (tx) => {
    const found = await findCall(deps, tx, task);
    if (found === null) return null;
    const lost = lostFor(found);
    if (lost !== null) {
      await answerCall(found, failedAnswer(lost));
      return null;
    }
    return { ...found, deps, host, task, number: await startCall(found), meter: new Meter('agent') };
  });
}

/** Executes an attempt of a tool call on a host. @throws errors of the database while it is opened or answered */
export async function callAgentTool(
  deps: ExecuteDeps,
  host: Host,
  task: AgentCallTask,
): Promise<AttemptEnd<void>> {
  const attempt = await openCall(deps, host, task);
  if (attempt === null) return done(undefined);
  const { key, number } = attempt;
  const timeoutMs = timeoutOf(attempt.execution, attempt.tool);
  const secrets = new Secrets();
  const live = new LiveCall(attempt, { key, attempt: number, timeoutMs });
  try {
    let answer: Answer;
    try {
      const tools = attempt.meter.over(deps.tools.attempt(secrets));
      answer = redact(await work(attempt, live, tools), secrets);
    } catch (error) {
      return await failCall(attempt, live, redactError(error, secrets));
    }
    await writeAnswer(attempt, answer, true).catch(async (error: unknown) => {
      const failure = notStorable(attempt, { what: 'the answer of a tool', error });
      await writeAnswer(attempt, failedAnswer(failure), false);
    });
    return done(undefined);
  } finally {
    live.close();
  }
}

async function work(
  { deps, context: opened, execution, key, row, tool, number }: CallAttempt,
  live: LiveCall,
  tools: NodeTools,
): Promise<Answer> {
  const { segment } = opened;
  const context = { ...opened, sql: deps.db, values: new RunValues(deps.db, segment.rootRunPk) };
  await loadFor(context, execution.node);
  const scope = new ExecutionScope(context, execution);
  const call = buildCall(scope, { signal: live.signal, tools, emit: live.emit });
  const idempotencyKey = `${idempotencyKeyOf(segment, execution)}:${key.turn}.${key.call}`;
  const identity = { ...call.identity, attempt: number, idempotencyKey };
  const config = asOffered(tool, openingOf(await readTurns(deps.db, key.stepId))?.tools ?? []);
  const result = await runAgentTool({ ...call, identity }, config, requestOf(row).arguments ?? {});
  if (result.outcome !== 'completed') throw new NodeError('internal_error', 'A tool call can only complete');
  // The tool's answer is its `data`, whatever its kind adds to it.
  return answerOf((result.output as { data?: Answer['result'] }).data ?? null);
}

/** Writes down an answer, and what it cost, unless another attempt, or the end of the run, came first. */
async function writeAnswer(
  { deps, task, number, meter }: CallAttempt,
  answer: Answer,
  isMetered: boolean,
): Promise<void> {
  await outlastOutage(() =>
    deps.db.transaction(async (tx) => {
      const found = await findCall(deps, tx, task);
      if (found?.row.status !== 'running' || found.row.attempt !== number) return;
      await answerCall(found, answer);
      if (isMetered) await meter.record(tx, found.context.segment, found.execution);
    }),
  );
}

async function failCall(attempt: CallAttempt, live: LiveCall, thrown: unknown): Promise<AttemptEnd<void>> {
  const { deps, host, task } = attempt;
  await live.awaitCancellation();
  if (host.cancelRequested()) return { kind: 'cancelled' };
  if (live.isFenced) return done(undefined);
  // The attempt stays open: the next one decides by its record.
  const retry = retryOf(host, thrown);
  if (retry !== null) return retry;
  const error = errorOf(live, thrown, () => new NodeError('timeout', 'The tool did not answer in time'));
  if (error.code === 'internal_error')
    deps.log.error(
      { err: thrown, run_pk: task.runPk, node_id: task.nodeId },
      'a tool call failed unexpectedly',
    );
  const delayMs = error.retryable ? await outlastOutage(() => release(attempt, error)) : null;
  if (delayMs !== null) return { kind: 'retry', code: error.code, message: error.message, delayMs };
  await writeAnswer(attempt, failedAnswer(error), false);
  return done(undefined);
}

/** @returns the wait before the next attempt; null when there is none, or what was sent may not be sent again */
function release({ deps, task, number }: CallAttempt, error: NodeError): Promise<number | null> {
  return deps.db.transaction(async (tx) => {
    const found = await findCall(deps, tx, task);
    if (found === null || found.row.attempt !== number) return null;
    const { maxAttempts, effect } = callablePolicy(found.tool.config);
    if (effect === 'at_most_once' && found.row.sent_at !== null) return null;
    const spent = number - found.row.lost;
    if (spent >= maxAttempts) return null;
    await releaseCall(tx, found.key);
    return delayBefore(found.execution.node, spent, error);
  });
}

/** The activity of a call ended without an answer: its worker was lost too often, or it outlived every timeout. */
export function settleAgentCall(deps: ExecuteDeps, task: AgentCallTask, reason: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const found = await findCall(deps, tx, task);
    if (found === null) return;
    const error = lostFor(found) ?? new NodeError('tool_lost', `The call could not be made: ${reason}`);
    if (found.row.attempt === 0) await startCall(found);
    await answerCall(found, failedAnswer(error));
  });
}
