/** Opens the next turn of an agent, with its earlier turns and calls. */
import { insertTurn, readTurns, type AgentTurnRow } from '../../ledger/write/agent-records.ts';
import { lockStep } from '../../ledger/write/steps.ts';
import { writeSteps } from '../../ledger/write/write-steps.ts';
import type { AgentHistory, Opening, PastTurn } from '../../../../language/nodes/agent/agent.ts';
import type { AgentTurnResult, AgentTurnTask } from '../protocol.ts';
import { presentCall, presentAnswer } from './answer.ts';
import { getAgentConfig, readKnownCalls, deriveNode, type KnownCall } from './calls.ts';
import { buildExecution, type Attempt } from '../attempt/execution.ts';
import {
  openLocked,
  detachFromTransaction,
  continueAttempt,
  type AttemptRequest,
  type AttemptOpening,
} from '../attempt/open.ts';
import { belongsToRunningSegment, withLockedRun, type RunContext } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';

/** Concurrent tool calls of one agent: with MAX_AGENTS agents a run stays far below Temporal's 2,000 pending activities. */
const CALLS_AT_ONCE = 8;

type OpenedTurn =
  | Exclude<AttemptOpening, { kind: 'open' }>
  /** The model has already answered. */
  | { readonly kind: 'answered'; readonly result: AgentTurnResult }
  | {
      readonly kind: 'open';
      /** Its retries count from the attempt in which the turn began. */
      readonly attempt: Attempt;
      readonly past: AgentHistory;
    };

interface TurnRequest extends AttemptRequest {
  readonly task: AgentTurnTask;
}

/** Opens a turn. */
export async function openTurn(request: TurnRequest): Promise<OpenedTurn> {
  const { deps, task } = request;
  const opened = await withLockedRun(deps, task, async (context) =>
    context === null ? ({ kind: 'gone' } as const) : openTurnLocked(request, context),
  );
  if (opened.kind !== 'open') return opened;
  const { attempt, past } = opened;
  const outside = detachFromTransaction({ kind: 'open', attempt }, deps);
  return outside.kind === 'open' ? { ...outside, past } : outside;
}

/** As openTurn, in a transaction that has locked the run. */
async function openTurnLocked(request: TurnRequest, context: RunContext): Promise<OpenedTurn> {
  const { task } = request;
  const { sql, segment } = context;
  if (!belongsToRunningSegment(context, task)) return { kind: 'gone' };
  const step = await lockStep(sql, task);
  const turns = step === null ? [] : await readTurns(sql, step.step_id);
  const own = turns.find(({ turn }) => turn === task.turn);
  if (own?.reply && step?.status === 'running') {
    const execution = await buildExecution(context, task, { step });
    return { kind: 'answered', result: await readTurnResult(context, execution, task) };
  }
  // A turn behind the first belongs to the attempt that is under way.
  const isNext = own === undefined && step?.status === 'running' && step.held_by === null;
  const opened = isNext ? await continueAttempt(request, context, step) : await openLocked(request, context);
  if (opened.kind !== 'open') return opened;
  const { attempt } = opened;
  const { stepId, attempt: number, node } = attempt.execution;
  if (own === undefined) await insertTurn(sql, stepId, { turn: task.turn, attempt: number });
  const past = buildPast(turns, await readKnownCalls(sql, getAgentConfig(context, node), task));
  if (isNext)
    await writeSteps(sql, segment, { steps: [{ ...attempt.step, tool_calls: [...past.toolCalls] }] });
  const execution = { ...attempt.execution, retriesSince: own?.first_attempt ?? number };
  return { kind: 'open', attempt: { ...attempt, execution }, past };
}

/** Finds the part of the first turn that applies to all others; null before that turn has ended. */
export function findOpening(turns: readonly AgentTurnRow[]): Opening | null {
  return turns.find((turn) => turn.opening !== null)?.opening ?? null;
}

type EndedTurn = { [Key in 'turn' | 'reply' | 'usage']: NonNullable<AgentTurnRow[Key]> };

const buildPast = (turns: readonly AgentTurnRow[], calls: readonly KnownCall[]): AgentHistory => ({
  opening: findOpening(turns),
  turns: turns.flatMap(({ turn, reply, usage }) =>
    reply === null || usage === null ? [] : [buildPastTurn({ turn, reply, usage }, calls)],
  ),
  toolCalls: calls.map(presentCall),
});

function buildPastTurn({ turn, reply, usage }: EndedTurn, all: readonly KnownCall[]): PastTurn {
  const calls = all.filter((call) => call.turn === turn);
  return {
    content: reply.content,
    correction: reply.correction,
    usage,
    hasRefusal: calls.some(({ request }) => request.refusal !== null),
    calls: calls.map((call) => {
      const { id, name, text } = call.request;
      return { id, name, arguments: text, ...presentAnswer(call) };
    }),
  };
}

/** Reads the calls of a turn that have not ended, for the interpreter to make. */
export async function readTurnResult(
  context: RunContext,
  { node }: NodeExecution,
  task: AgentTurnTask,
): Promise<AgentTurnResult> {
  const config = getAgentConfig(context, node);
  const calls = await readKnownCalls(context.sql, config, { ...task, ofTurn: true });
  const open = calls.filter(({ hasEnded }) => !hasEnded);
  return {
    outcome: null,
    calls: open
      .filter(({ waits }) => !waits)
      .map((known) => {
        const { type, name, policy } = deriveNode(node, known);
        const { placement, timeoutMs } = policy;
        return { call: known.call, type, name, placement, timeoutMs };
      }),
    atOnce: config.parallel_tool_calls ? CALLS_AT_ONCE : 1,
    asks: open.some(({ waits }) => waits),
  };
}
