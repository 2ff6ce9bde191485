/**
 * Tool calls of an agent that people have to allow (SPEC DEF-2.3, `approval`): the questions, and what an answer makes
 * of a call. An agent that can do nothing but wait is paused: it holds neither an activity nor a worker.
 */
import { cutText } from '../../../../language/graph/values/cut-text.ts';
import { ownValue, type Json } from '../../../../language/graph/values/value.ts';
import { findAgentStep, moveTurns, readTurns, type AgentTurnRow } from '../../ledger/write/agent-records.ts';
import type { NewEvent } from '../../ledger/write/events.ts';
import type { InterruptRow } from '../../ledger/questions/questions.ts';
import { holdEffect, type EffectVault } from '../../ledger/questions/held-effects.ts';
import { lockStep } from '../../ledger/write/steps.ts';
import { writeSteps } from '../../ledger/write/write-steps.ts';
import type { StepRow } from '../../ledger/write/steps.ts';
import { NodeError, type Question } from '../../../../language/nodes/kind.ts';
import { GONE_OUTCOME, type AgentTurnResult, type AgentTurnTask, type NodeOutcome } from '../protocol.ts';
import { presentCall } from './answer.ts';
import { getAgentConfig, readKnownCalls, deriveExecution, type KnownCall } from './calls.ts';
import { findOpening, readTurnResult } from './open-turn.ts';
import { nameCall, prepareHeldCalls, type HeldCall, type HeldCalls } from './held-calls.ts';
import { buildExecution } from '../attempt/execution.ts';
import { createStep } from '../../walk/step.ts';
import { type NodeExecution, ExecutionScope } from '../../walk/context.ts';
import type { RunScope } from '../context.ts';
import { readPauseOutcome } from '../attempt/pause.ts';
import type { ExecuteDeps } from '../deps.ts';
import { buildNodeEvent } from '../../walk/frames.ts';
import { openQuestion, buildQuestionFields, buildResolvedEvent } from '../advance/questions.ts';
import { belongsToRunningSegment, withLockedRun } from '../context.ts';
import type { RunContext } from '../context.ts';
import { refuseCall } from '../settle.ts';

/** The most characters of the model's text that a question shows. */
const MAX_SAID = 2_000;
const APPROVE = { id: 'approve', label: 'Approve' };
const EDIT = { id: 'edit', label: 'Edit' };
const REJECT = { id: 'reject', label: 'Reject' };
/** The answer to an expired question. */
const REJECTION = { action: 'reject', data: {} };

/**
 * Opens questions about the calls of a turn and pauses the agent. Idempotent: a repetition opens none and returns the same
 * outcome, also when the run has resumed the agent since.
 */
export async function pauseAgent(deps: ExecuteDeps, task: AgentTurnTask): Promise<NodeOutcome> {
  const held = await prepareHeldCalls(deps, task);
  return withLockedRun(deps, task, async (context) => {
    const step = context === null ? null : await lockStep(context.sql, task);
    if (context === null || step === null) return GONE_OUTCOME;
    if (step.status === 'running') {
      if (!belongsToRunningSegment(context, task)) return GONE_OUTCOME;
      await askPeople({ ...context, vault: deps.tools.vault, held }, task, step);
    } else if (step.status !== 'interrupted') return GONE_OUTCOME;
    return readPauseOutcome(context.sql, task);
  });
}

interface AskContext extends RunContext {
  readonly vault: EffectVault;
  readonly held: HeldCalls;
}

async function askPeople(context: AskContext, task: AgentTurnTask, step: StepRow): Promise<void> {
  const { sql, segment, vault, held } = context;
  const { organizationId } = segment;
  const scope = new ExecutionScope(context, await buildExecution(context, task, { step }));
  const calls = await readKnownCalls(sql, getAgentConfig(context, scope.execution.node), task);
  const turns = await readTurns(sql, step.step_id);
  const events: NewEvent[] = [];
  for (const call of calls) {
    if (!call.waits || call.question !== null) continue;
    const request = held.get(nameCall(call)) ?? null;
    const opened = await openQuestion(scope, buildQuestion(turns, call, request), call);
    if (request !== null)
      await holdEffect(sql, vault, {
        organizationId,
        interruptId: opened.id,
        revision: 1,
        ...request.stored,
      });
    events.push(buildNodeEvent('interrupt', scope.execution, buildQuestionFields(opened)));
  }
  const paused: StepRow = { ...step, status: 'interrupted', tool_calls: calls.map(presentCall) };
  await writeSteps(sql, segment, { steps: [paused], events });
}

function buildQuestion(
  turns: readonly AgentTurnRow[],
  { turn, request, approval }: KnownCall,
  held: HeldCall | null,
): Question {
  const { id, name, arguments: given } = request;
  const offer = findOpening(turns)?.tools.find((one) => one.name === name);
  const { rule = null, requiredResponses: required = 1 } = approval ?? {};
  const said = turns.find((one) => one.turn === turn)?.reply?.['content'];
  return {
    kind: 'tool_approval',
    title: `Call ${name}?`,
    message: [rule?.message ?? '', typeof said === 'string' ? cutText(said, MAX_SAID) : '']
      .filter((text) => text !== '')
      .join('\n\n'),
    payload: {
      ...held?.about,
      ...(rule === null ? {} : { rule: rule.name }),
      tool: name,
      description: offer?.description ?? '',
      tool_call_id: id,
      arguments: given,
    },
    // A rule asks about the request that is shown, so its call is not edited. Edited arguments must match the schema of the tool, like those of the model.
    form: {
      type: 'object',
      properties: {
        ...(rule === null ? { arguments: offer?.schema ?? {} } : {}),
        comment: { type: 'string' },
      },
    },
    actions: rule === null ? [APPROVE, EDIT, REJECT] : [APPROVE, REJECT],
    ...(required > 1 ? { requiredResponses: required } : {}),
    assignees: approval?.assignees ?? { roles: [], user_ids: [] },
    timeoutSeconds: approval?.timeoutSeconds ?? null,
    onTimeout: 'default',
    defaultResponse: REJECTION,
  };
}

/** Finds the calls that an agent may make after an answer; none when it has been paused again since. */
export function resumeAgent(deps: ExecuteDeps, task: AgentTurnTask): Promise<AgentTurnResult> {
  const none = { calls: [], atOnce: 1 };
  return withLockedRun(deps, task, async (context) => {
    const step = context === null ? null : await lockStep(context.sql, task);
    if (context === null || step === null) return { ...none, outcome: GONE_OUTCOME };
    if (step.status === 'interrupted') return { ...none, outcome: null, asks: true };
    if (step.status !== 'running' || !belongsToRunningSegment(context, task))
      return { ...none, outcome: GONE_OUTCOME };
    return readTurnResult(context, await buildExecution(context, task, { step }), task);
  });
}

/** Resumes the agent's step: in the same segment its own, in a new segment a new one that takes over its turns. */
async function resumeStep(context: RunContext, execution: NodeExecution): Promise<StepRow | null> {
  const { sql, segment } = context;
  const { node, visit } = execution;
  const found = await findAgentStep(sql, segment.rootRunPk, { nodeId: node.id, visit });
  const before =
    found === null
      ? null
      : await lockStep(sql, { runPk: found.run_pk, nodeId: node.id, visit, itemIndex: -1 });
  if (before === null) return null;
  if (before.run_pk === segment.runPk) {
    const step: StepRow = { ...before, status: 'running' };
    if (before.status !== 'running') await writeSteps(sql, segment, { steps: [step] });
    return step;
  }
  const { position, input, tool_calls: toolCalls } = before;
  const step = { ...createStep(context, { ...execution, position }), input, tool_calls: toolCalls };
  await writeSteps(sql, segment, { steps: [step] });
  await moveTurns(sql, before.step_id, step.step_id);
  return step;
}

/** Builds the error that tells the model why a call was not made. */
function buildRejection(timedOut: boolean, data: Json): NodeError {
  if (timedOut)
    return new NodeError('approval_expired', 'The call was not approved in time and was not executed');
  const comment = ownValue(data, 'comment');
  const said = typeof comment === 'string' && comment !== '' ? `: ${comment}` : '';
  return new NodeError('rejected', `The call was rejected and not executed${said}`);
}

/**
 * Makes a claimed answer, or the expiry of a question, the fate of its call, in the caller's transaction. An answer that allows
 * the call is its permission by itself (calls.ts); any other one ends it.
 * @returns the events that tell of it, and the place of the agent's execution; null when its agent is gone
 */
export async function settleApproval(
  { context, execution }: RunScope,
  row: InterruptRow,
  timedOut: boolean,
): Promise<{ readonly events: readonly NewEvent[]; readonly position: number } | null> {
  const step = await resumeStep(context, execution);
  if (step === null) return null;
  const { position, step_id: stepId } = step;
  const own = { ...execution, stepId, position };
  const events = [buildResolvedEvent(row, own, timedOut)];
  const { turn, call, visit } = row;
  const key = { runPk: step.run_pk, nodeId: row.node_id, visit, itemIndex: -1, turn, call };
  const [known] = await readKnownCalls(context.sql, getAgentConfig(context, execution.node), key);
  if (known?.waits !== true) return { events, position };
  const why = buildRejection(timedOut, row.response?.data ?? null);
  const refused = refuseCall(context, deriveExecution(own, known), why);
  await writeSteps(context.sql, context.segment, { steps: [refused.step] });
  return { events: [...events, ...refused.events], position };
}
