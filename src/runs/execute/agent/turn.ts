/**
 * One turn of an agent: one call of its model. The model's answer is committed before its tools are called; a turn that has been
 * committed is never taken again.
 */
import type { JsonObject } from '../../../graph/value.ts';
import { creditsOfExecution } from '../../../billing/usage.ts';
import type { Sql } from '../../../db/client.ts';
import { endTurn, insertCalls, readCalls } from '../../ledger/agent-records.ts';
import { appendEvents } from '../../ledger/events.ts';
import { writeSteps } from '../../ledger/write-steps.ts';
import { takeTurn } from '../../../nodes/agent/agent.ts';
import type { AgentConfig, AgentPast, AgentReply } from '../../../nodes/agent/agent.ts';
import type { AskedCall } from '../../../nodes/agent/offer.ts';
import type { NodeCall } from '../../../nodes/kind.ts';
import type { Usage } from '../../../nodes/tools.ts';
import { sumUsage } from '../../../nodes/model-call.ts';
import { concludeSuccess, successOf } from '../attempt/conclusion.ts';
import { endAttempt, endOf, endWithError, inAttempt, storageFailure, type Fenced } from '../attempt/end.ts';
import type { Attempt } from '../attempt/execution.ts';
import type { AttemptRequest } from '../attempt/open.ts';
import { endWithThrown } from '../attempt/retry.ts';
import { awaitHolder, beginWork } from '../attempt/run.ts';
import { ExecutionScope } from '../context.ts';
import type { ExecuteDeps } from '../deps.ts';
import { done, type AttemptEnd, type Host, type HostedEnd } from '../host.ts';
import type { AgentTurnResult, AgentTurnTask, NodeOutcome } from '../protocol.ts';
import { callEnded, callStarted, failedAnswer } from './answer.ts';
import { openTurn, toolOf, turnResult, type OpenedTurn } from './past.ts';

const ended = (outcome: NodeOutcome): AgentTurnResult => ({ outcome, calls: [], atOnce: 1 });

/** The end of an agent as that of its last turn. */
const endedTurn = (end: AttemptEnd<NodeOutcome> | Fenced): AttemptEnd<AgentTurnResult> | Fenced =>
  end.kind === 'done' ? done(ended(end.result)) : end;

/**
 * Takes a turn on a host, or joins the one that this process has under way.
 * @throws errors of the database while it is opened or ended
 */
export function takeAgentTurn(
  deps: ExecuteDeps,
  host: Host,
  task: AgentTurnTask,
): Promise<HostedEnd<AgentTurnResult>> {
  return deps.running.run(host, task, (control) => takeToEnd({ deps, control, task }));
}

/** Makes attempts of a turn until one of them, here or elsewhere, has an end that is recorded. */
async function takeToEnd(
  request: AttemptRequest & { readonly task: AgentTurnTask },
): Promise<AttemptEnd<AgentTurnResult>> {
  const { deps, control, task } = request;
  for (;;) {
    const release = await deps.slots.acquire(task.organizationId, { signal: control.signal });
    try {
      const opened = await openTurn(request);
      if (opened.kind === 'gone') return opened;
      if (opened.kind === 'answered') return done(opened.result);
      if (opened.kind === 'held') {
        release();
        await awaitHolder(deps, control, opened);
        continue;
      }
      const end = await endOpened(opened, task);
      if (end.kind !== 'fenced') return end;
    } finally {
      release();
    }
  }
}

function endOpened(
  opened: Extract<OpenedTurn, { kind: 'open' | 'ended' | 'refused' }>,
  task: AgentTurnTask,
): Promise<AttemptEnd<AgentTurnResult> | Fenced> | AttemptEnd<AgentTurnResult> | Fenced {
  if (opened.kind === 'ended') return endedTurn(endOf(opened.step));
  if (opened.kind === 'refused') return endWithError(opened.attempt, opened.error).then(endedTurn);
  return askModel({ ...opened.attempt, task }, opened.past);
}

/** An attempt of a turn. */
interface TurnAttempt extends Attempt {
  readonly task: AgentTurnTask;
}

async function askModel(
  attempt: TurnAttempt,
  past: AgentPast,
): Promise<AttemptEnd<AgentTurnResult> | Fenced> {
  const working = beginWork<AgentReply>(attempt, (call, live) => {
    // The text of an earlier turn is over.
    if (attempt.task.turn > 1) live.tokenReset('tool_turn');
    return takeTurn(call as NodeCall<AgentConfig>, past);
  });
  try {
    const end = await working.end;
    if (end.kind === 'threw') return endedTurn(await endWithThrown(attempt, working.live, end.error));
    const reply = end.result;
    return reply.kind === 'final'
      ? endedTurn(await endAgent(attempt, working.scope, reply))
      : await goOn(attempt, reply);
  } finally {
    working.live.close();
  }
}

const usedBefore = (step: { readonly usage: JsonObject | null }): Usage | null =>
  step.usage as unknown as Usage | null;
const sumOf = (before: Usage | null, now: Usage): Usage => (before === null ? now : sumUsage(before, now));

const inputOf = ({ opening }: AgentReply): JsonObject => ({
  messages: opening.own.map(({ role, content }) => ({ role, content })),
});

/** Ends the agent with its answer. */
function endAgent(
  attempt: TurnAttempt,
  worked: ExecutionScope,
  reply: AgentReply & { kind: 'final' },
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  return endAttempt(attempt, async (scope, step, credits) => {
    const usage = sumOf(usedBefore(step), reply.usage);
    step.input = inputOf(reply);
    step.usage = { ...usage };
    const { output } = reply;
    const warnings = [...reply.warnings, ...worked.warnings];
    const success = { ...successOf({ outcome: 'completed', output, usage }), warnings };
    const tookMs = scope.context.clock.now() - Date.parse(step.started_at);
    const spent = credits + (await creditsOfChildren(scope.context.sql, step.step_id));
    return concludeSuccess(scope, { ...success, credits: spent }, tookMs);
  });
}

/** The credits of the sub-workflows that the agent called. */
async function creditsOfChildren(sql: Sql, stepId: string): Promise<number> {
  let credits = 0;
  for (const { child_run_pk: child } of await readCalls(sql, stepId)) {
    if (child !== null) credits += await creditsOfExecution(sql, child);
  }
  return credits;
}

/** The agent goes on, or fails at once with an answer that the database refuses: the model is not asked the same again. */
async function goOn(
  attempt: TurnAttempt,
  reply: AgentReply & { kind: 'goes_on' },
): Promise<AttemptEnd<AgentTurnResult> | Fenced> {
  try {
    return await writeTurn(attempt, reply);
  } catch (error) {
    const failure = storageFailure(attempt, { what: 'a turn', error });
    return endedTurn(await endWithError(attempt, failure));
  }
}

/** Writes down the model's answer, the calls that it wants, and what it has used. */
function writeTurn(
  attempt: TurnAttempt,
  reply: AgentReply & { kind: 'goes_on' },
): Promise<AttemptEnd<AgentTurnResult> | Fenced> {
  const { task, execution } = attempt;
  return inAttempt(attempt, async (context, step) => {
    if (step.status !== 'running') return { kind: 'gone' } as const;
    const { sql, segment } = context;
    const { content, correction, usage } = reply;
    const opening = task.turn === 1 ? (reply.opening as unknown as JsonObject) : null;
    const isNew = await endTurn(sql, step.step_id, {
      turn: task.turn,
      opening,
      reply: { content, correction },
      usage: { ...usage },
    });
    // False: this transaction is repeated because its first answer was lost.
    if (isNew) {
      const total = { ...sumOf(usedBefore(step), usage) };
      const next = { ...step, input: inputOf(reply), usage: total, held_by: null };
      await writeSteps(sql, segment, { steps: [next] });
      await execution.meter.record(sql, segment, execution);
      await writeCalls(new ExecutionScope(context, execution), task, reply.calls);
    }
    return done(await turnResult(context, execution, task.turn));
  });
}

/** Writes down the calls that the model wants. One that cannot be read is answered here, and the model hears why. */
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
