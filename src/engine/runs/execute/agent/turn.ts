/**
 * One turn of an agent: one call of its model. The model's answer is committed before its tools are called; a turn that has been
 * committed is never taken again.
 */
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { readToolCallCredits } from '../../../../platform/billing/usage.ts';
import { endTurn } from '../../ledger/write/agent-records.ts';
import { writeSteps, type StepChanges } from '../../ledger/write/write-steps.ts';
import { takeTurn } from '../../../../language/nodes/agent/agent.ts';
import type { AgentConfig, AgentHistory, AgentReply } from '../../../../language/nodes/agent/agent.ts';
import type { RequestedCall } from '../../../../language/nodes/agent/offer.ts';
import { NodeError, type NodeCall } from '../../../../language/nodes/kind.ts';
import type { Usage } from '../../../../language/nodes/tools.ts';
import { sumUsage } from '../../../../language/nodes/model-call.ts';
import { concludeSuccess, toSuccess } from '../../walk/conclusion.ts';
import {
  endAttempt,
  toAttemptEnd,
  endWithError,
  withLockedAttempt,
  storageFailure,
  type Fenced,
} from '../attempt/end.ts';
import type { Attempt } from '../attempt/execution.ts';
import type { AttemptRequest, NotDue, HeldElsewhere } from '../attempt/open.ts';
import { endWithThrown } from '../attempt/retry.ts';
import { redactReply } from '../../walk/redact.ts';
import { attemptUntilEnded, startWork } from '../attempt/run.ts';
import type { RunContext, RunScope } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';
import type { ExecuteDeps } from '../deps.ts';
import { done, type AttemptEnd, type Host, type HostedEnd } from '../host.ts';
import type { AgentTurnResult, AgentTurnTask, NodeOutcome } from '../protocol.ts';
import { refuseCall } from '../settle.ts';
import { findToolExecution } from './calls.ts';
import { markAskedCalls } from './held-calls.ts';
import { openTurn, readTurnResult } from './open-turn.ts';

const ended = (outcome: NodeOutcome): AgentTurnResult => ({ outcome, calls: [], atOnce: 1 });

/** Makes the end of an agent the end of its last turn. */
const toTurnEnd = (end: AttemptEnd<NodeOutcome> | Fenced): AttemptEnd<AgentTurnResult> | Fenced =>
  end.kind === 'done' ? done(ended(end.result)) : end;

/**
 * Takes a turn on a host, or joins the running one of this process.
 * @throws errors of the database while it is opened or ended
 */
export function takeAgentTurn(
  deps: ExecuteDeps,
  host: Host,
  task: AgentTurnTask,
): Promise<HostedEnd<AgentTurnResult>> {
  return deps.running.run(host, task, (control) => {
    const request = { deps, control, task };
    return attemptUntilEnded(request, (place) => attemptTurn({ ...request, place }));
  });
}

/** Makes one attempt of a turn, unless its step needs none. */
async function attemptTurn(
  request: AttemptRequest & { readonly task: AgentTurnTask },
): Promise<AttemptEnd<AgentTurnResult> | Fenced | HeldElsewhere | NotDue> {
  const opened = await openTurn(request);
  switch (opened.kind) {
    case 'gone':
    case 'held':
    case 'early':
      return opened;
    case 'answered':
      return done(opened.result);
    case 'paused':
      return toTurnEnd(done(opened.outcome));
    case 'ended':
      return toTurnEnd(toAttemptEnd(opened.step));
    case 'refused':
      return toTurnEnd(await endWithError(opened.attempt, opened.error));
    case 'open':
      return askModel({ ...opened.attempt, task: request.task }, opened.past);
  }
}

/** An attempt of a turn. */
interface TurnAttempt extends Attempt {
  readonly task: AgentTurnTask;
}

async function askModel(
  attempt: TurnAttempt,
  past: AgentHistory,
): Promise<AttemptEnd<AgentTurnResult> | Fenced> {
  const working = startWork<AgentReply>(attempt, {
    work: async (call, live) => {
      // Clears the text of the turn before.
      if (attempt.task.turn > 1) live.tokenReset('tool_turn');
      return markAskedCalls(attempt.deps, attempt, await takeTurn(call as NodeCall<AgentConfig>, past));
    },
    redactPaths: redactReply,
  });
  try {
    const end = await working.end;
    if (end.kind === 'threw') return toTurnEnd(await endWithThrown(attempt, working.live, end));
    const reply = end.result;
    return reply.kind === 'final'
      ? toTurnEnd(await endAgent(attempt, working.scope, reply))
      : await continueAgent(attempt, reply);
  } finally {
    working.live.close();
  }
}

const addUsage = (before: Usage | null, now: Usage): Usage => (before === null ? now : sumUsage(before, now));

const toStepInput = ({ opening }: AgentReply): JsonObject => ({
  messages: opening.own.map(({ role, content }) => ({ role, content })),
});

/** Ends the agent with its answer. */
function endAgent(
  attempt: TurnAttempt,
  worked: RunScope,
  reply: AgentReply & { kind: 'final' },
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  return endAttempt(attempt, async (scope, step, credits) => {
    const usage = addUsage(step.usage, reply.usage);
    step.input = toStepInput(reply);
    step.usage = usage;
    const { output } = reply;
    const warnings = [...reply.warnings, ...worked.warnings];
    const success = { ...toSuccess({ outcome: 'completed', output, usage }), warnings };
    const tookMs = scope.context.clock.now() - Date.parse(step.started_at);
    const spent = credits + (await readToolCallCredits(scope.context.sql, attempt.task));
    return concludeSuccess(scope, { ...success, credits: spent }, tookMs);
  });
}

/** Continues the agent. An answer that the database rejects fails it, without another call of the model. */
async function continueAgent(
  attempt: TurnAttempt,
  reply: AgentReply & { kind: 'goes_on' },
): Promise<AttemptEnd<AgentTurnResult> | Fenced> {
  try {
    return await writeTurn(attempt, reply);
  } catch (error) {
    const failure = storageFailure(attempt, { what: 'a turn', error });
    return toTurnEnd(await endWithError(attempt, failure));
  }
}

/** Records the answer of the model, its tool calls and its usage. */
function writeTurn(
  attempt: TurnAttempt,
  reply: AgentReply & { kind: 'goes_on' },
): Promise<AttemptEnd<AgentTurnResult> | Fenced> {
  const { task, execution } = attempt;
  return withLockedAttempt(attempt, async (context, step) => {
    if (step.status !== 'running') return { kind: 'gone' } as const;
    const { sql, segment } = context;
    const { content, correction, usage } = reply;
    const isNew = await endTurn(sql, step.step_id, {
      turn: task.turn,
      opening: task.turn === 1 ? reply.opening : null,
      reply: { content, correction, calls: reply.calls },
      usage,
    });
    // False: this transaction is repeated because its first answer was lost.
    if (isNew) {
      const total = addUsage(step.usage, usage);
      const next = { ...step, input: toStepInput(reply), usage: total, held_by: null };
      await execution.meter.record(sql, segment, execution);
      const refused = await refuseCalls(context, execution, { task, calls: reply.calls });
      await writeSteps(sql, segment, { ...refused, steps: [next, ...refused.steps] });
    }
    return done(await readTurnResult(context, execution, task));
  });
}

/** Ends the calls of a turn that cannot be made, with the reason for the model. */
async function refuseCalls(
  context: RunContext,
  execution: NodeExecution,
  { task, calls }: { readonly task: AgentTurnTask; readonly calls: readonly RequestedCall[] },
): Promise<Pick<StepChanges, 'steps' | 'events'>> {
  const refusals = calls.flatMap(({ refusal }, call) => (refusal === null ? [] : [{ call, refusal }]));
  const refused = await Promise.all(
    refusals.map(async ({ call, refusal }) => {
      const tool = await findToolExecution(context, execution, { ...task, call });
      return refuseCall(context, tool, new NodeError('invalid_tool_call', refusal));
    }),
  );
  return { steps: refused.map(({ step }) => step), events: refused.flatMap(({ events }) => events) };
}
