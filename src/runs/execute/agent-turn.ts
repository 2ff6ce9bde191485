/**
 * One turn of an agent: one call of its model. What the model said is committed before its
 * tools are called; a turn that has been committed is never taken again.
 */
import type { JsonObject } from '../../graph/value.ts';
import { creditsOfExecution } from '../../billing/usage.ts';
import type { Sql } from '../../db/client.ts';
import { endTurn, insertCalls, readCalls } from '../ledger/agent-records.ts';
import { appendEvents } from '../ledger/events.ts';
import { lockStep } from '../ledger/steps.ts';
import { writeSteps } from '../ledger/write-steps.ts';
import { RunValues } from '../ledger/values.ts';
import { takeTurn } from '../../nodes/agent/agent.ts';
import type { AgentConfig, AgentPast, AgentReply } from '../../nodes/agent/agent.ts';
import type { AskedCall } from '../../nodes/agent/offer.ts';
import type { NodeCall } from '../../nodes/kind.ts';
import type { Usage } from '../../nodes/tools.ts';
import { sumUsage } from '../../nodes/model-call.ts';
import type { AgentTurnResult, AgentTurnTask, NodeOutcome } from './protocol.ts';
import { callEnded, callStarted, failedAnswer } from './agent-answer.ts';
import { openTurn, toolOf, turnResult } from './agent-past.ts';
import type { NodeAttempt } from './attempts.ts';
import { concludeSuccess } from './conclusion.ts';
import { outlastOutage } from './outlast-outage.ts';
import type { ExecuteDeps } from './deps.ts';
import { successOf } from './fold.ts';
import { done, mapResult } from './host.ts';
import type { AttemptEnd, Host } from './host.ts';
import { Meter } from './metering.ts';
import { GONE, conclude, fail, settledAlready, notStorable } from './node-end.ts';
import { beginWork, endWork } from './run-node.ts';
import { ExecutionScope, lockRun } from './run-context.ts';

const ended = (outcome: NodeOutcome): AgentTurnResult => ({ outcome, calls: [], atOnce: 1 });

/** Executes an attempt of a turn on a host. @throws errors of the database while it is opened or concluded */
export async function takeAgentTurn(
  deps: ExecuteDeps,
  host: Host,
  task: AgentTurnTask,
): Promise<AttemptEnd<AgentTurnResult>> {
  const opened = await deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps.plans, task);
    if (context === null) return null;
    const turn = await openTurn(context, task);
    return { turn, context: { ...context, sql: deps.db, values: new RunValues(deps.db, task.rootRunPk) } };
  });
  if (opened === null) return done(ended(GONE));
  const { turn, context } = opened;
  const meter = new Meter('agent');
  switch (turn.kind) {
    case 'gone':
      return done(ended(GONE));
    case 'settled':
      return mapResult(settledAlready(turn), ended);
    case 'answered':
      return done(turn.result);
    case 'unknown': {
      const execution = { ...turn.execution, meter };
      return mapResult(await fail({ deps, task, execution }, turn.error), ended);
    }
    case 'open': {
      const execution = { ...turn.execution, meter, retriesSince: turn.firstAttempt };
      return callModel({ deps, host, task, context, execution }, turn.past);
    }
  }
}

/** An attempt of a turn. */
interface TurnAttempt extends NodeAttempt {
  readonly task: AgentTurnTask;
}

function callModel(attempt: TurnAttempt, past: AgentPast): Promise<AttemptEnd<AgentTurnResult>> {
  const working = beginWork<AgentReply>(attempt, (call, live) => {
    // What was said before belongs to an earlier turn.
    if (attempt.task.turn > 1) live.tokenReset('tool_turn');
    return takeTurn(call as NodeCall<AgentConfig>, past);
  });
  return endWork<AgentReply, AgentTurnResult>(attempt, working, {
    conclude: async (reply, scope) =>
      reply.kind === 'final' ? mapResult(await end(attempt, scope, reply), ended) : goOn(attempt, reply),
    failed: ended,
  });
}

const usedBefore = (step: { readonly usage: JsonObject | null }): Usage | null =>
  step.usage as unknown as Usage | null;
const total = (before: Usage | null, now: Usage): Usage => (before === null ? now : sumUsage(before, now));

const inputOf = ({ opening }: AgentReply): JsonObject => ({
  messages: opening.own.map(({ role, content }) => ({ role, content })),
});

/** The agent has its answer: concludes the node. */
function end(
  attempt: TurnAttempt,
  worked: ExecutionScope,
  reply: AgentReply & { kind: 'final' },
): Promise<AttemptEnd<NodeOutcome>> {
  return conclude(attempt, async (scope, step, credits) => {
    const usage = total(usedBefore(step), reply.usage);
    step.input = inputOf(reply);
    step.usage = { ...usage };
    const { output } = reply;
    const warnings = [...reply.warnings, ...worked.warnings];
    const success = { ...successOf({ outcome: 'completed', output, usage }), warnings };
    const tookMs = Date.now() - Date.parse(step.started_at);
    const spent = credits + (await creditsOfChildren(scope.context.sql, step.step_id));
    return concludeSuccess(scope, { ...success, credits: spent }, tookMs);
  });
}

/** What the sub-workflows have cost that the agent called. */
async function creditsOfChildren(sql: Sql, stepId: string): Promise<number> {
  let credits = 0;
  for (const { child_run_pk: child } of await readCalls(sql, stepId)) {
    if (child !== null) credits += await creditsOfExecution(sql, child);
  }
  return credits;
}

/** The agent goes on, or fails at once with what the database refuses: the model is not asked the same again. */
async function goOn(
  attempt: TurnAttempt,
  reply: AgentReply & { kind: 'goes_on' },
): Promise<AttemptEnd<AgentTurnResult>> {
  try {
    return done(await writeTurn(attempt, reply));
  } catch (error) {
    const failure = notStorable(attempt, { what: 'a turn', error });
    return mapResult(await fail(attempt, failure), ended);
  }
}

/** Writes down what the model said and wants, and what it has used. */
async function writeTurn(
  { deps, task, execution }: TurnAttempt,
  reply: AgentReply & { kind: 'goes_on' },
): Promise<AgentTurnResult> {
  return outlastOutage(() =>
    deps.db.transaction(async (tx) => {
      const context = await lockRun(tx, deps.plans, task);
      const step = await lockStep(tx, task);
      if (context?.segment.status !== 'running' || step?.status !== 'running') return ended(GONE);
      if (step.attempt !== execution.attempt) return ended(GONE);
      const { content, correction, usage } = reply;
      const opening = task.turn === 1 ? (reply.opening as unknown as JsonObject) : null;
      const isNew = await endTurn(tx, step.step_id, {
        turn: task.turn,
        opening,
        reply: { content, correction },
        usage: { ...usage },
      });
      // False: this transaction is repeated because its first answer was lost.
      if (isNew) {
        step.input = inputOf(reply);
        step.usage = { ...total(usedBefore(step), usage) };
        await writeSteps(tx, context.segment, { steps: [step] });
        await execution.meter.record(tx, context.segment, execution);
        await writeCalls(new ExecutionScope(context, execution), task, reply.calls);
      }
      return turnResult(context, execution, task.turn);
    }),
  );
}

/** Writes down what is to be called. What cannot be read is answered at once, and the model hears why. */
async function writeCalls(
  { context, execution }: ExecutionScope,
  task: AgentTurnTask,
  calls: readonly AskedCall[],
): Promise<void> {
  const rows = calls.map((asked) => ({
    needsApproval: asked.refusal === null && toolOf(context, execution, asked.name).approval !== null,
    asked: { ...asked },
    answer:
      asked.refusal === null ? null : failedAnswer({ code: 'invalid_tool_call', message: asked.refusal }),
  }));
  await insertCalls(context.sql, { stepId: execution.stepId, turn: task.turn }, rows);
  const events = calls.flatMap((asked, at) => {
    const answer = rows[at]?.answer ?? null;
    return answer === null
      ? []
      : [callStarted(execution, asked), callEnded(execution, asked, { answer, durationMs: 0 })];
  });
  if (events.length > 0) await appendEvents(context.sql, task.runPk, events);
}
