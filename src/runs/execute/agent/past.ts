/** Where an agent stands: opens its next turn, and reads the records of its earlier turns and calls. */
import type { JsonObject } from '../../../graph/value.ts';
import { insertTurn, readCalls, readTurns } from '../../ledger/agent-records.ts';
import type { AgentCallRow, AgentTurnRow } from '../../ledger/agent-records.ts';
import { lockStep } from '../../ledger/steps.ts';
import { writeSteps } from '../../ledger/write-steps.ts';
import type { AgentConfig, AgentPast, Opening, PastTurn } from '../../../nodes/agent/agent.ts';
import { callablePolicy } from '../../../nodes/agent/offer.ts';
import type { AgentTool } from '../../../nodes/agent/agent-tool.ts';
import { NodeError } from '../../../nodes/kind.ts';
import type { Usage } from '../../../nodes/tools.ts';
import type { AgentTurnResult, AgentTurnTask } from '../protocol.ts';
import { requestOf, shownCall, toldOf } from './answer.ts';
import { executionOf, type Attempt } from '../attempt/execution.ts';
import { openLocked, outsideTransaction, takeUp, type AttemptRequest, type Opened } from '../attempt/open.ts';
import { lockRun, type NodeExecution, type RunContext } from '../context.ts';

/** Tool calls of one agent at once: with MAX_AGENTS of them a run stays far below Temporal's 2,000 pending activities. */
const CALLS_AT_ONCE = 8;

export type OpenedTurn =
  | Exclude<Opened, { kind: 'open' }>
  /** The model has been asked already. */
  | { readonly kind: 'answered'; readonly result: AgentTurnResult }
  | {
      readonly kind: 'open';
      /** Its retries count from the attempt in which the turn began. */
      readonly attempt: Attempt;
      readonly past: AgentPast;
    };

/** Opens a turn. */
export async function openTurn(
  request: AttemptRequest & { readonly task: AgentTurnTask },
): Promise<OpenedTurn> {
  const { deps, task } = request;
  const opened = await deps.db.transaction(async (tx) => {
    const context = await lockRun(tx, deps, task);
    return context === null ? ({ kind: 'gone' } as const) : openTurnLocked(request, context);
  });
  if (opened.kind !== 'open') return opened;
  const { attempt, past } = opened;
  const outside = outsideTransaction({ kind: 'open', attempt }, deps);
  return outside.kind === 'open' ? { ...outside, past } : outside;
}

/** As openTurn, in a transaction that has locked the run. */
async function openTurnLocked(
  request: AttemptRequest & { readonly task: AgentTurnTask },
  context: RunContext,
): Promise<OpenedTurn> {
  const { task } = request;
  const { sql, segment } = context;
  if (segment.status !== 'running' || segment.runPk !== task.runPk) return { kind: 'gone' };
  const step = await lockStep(sql, task);
  const turns = step === null ? [] : await readTurns(sql, step.step_id);
  const own = turns.find(({ turn }) => turn === task.turn);
  if (own?.reply && step?.status === 'running') {
    const execution = await executionOf(context, task, { step });
    return { kind: 'answered', result: await turnResult(context, execution, task.turn) };
  }
  // A turn behind the first belongs to the attempt that is under way.
  const isNext = own === undefined && step?.status === 'running' && step.held_by === null;
  const opened = isNext ? await takeUp(request, context, step) : await openLocked(request, context);
  if (opened.kind !== 'open') return opened;
  const { attempt } = opened;
  const { stepId, attempt: number } = attempt.execution;
  if (own === undefined) await insertTurn(sql, stepId, { turn: task.turn, attempt: number });
  const past = await pastOf(context, stepId, turns);
  if (isNext)
    await writeSteps(sql, segment, { steps: [{ ...attempt.step, tool_calls: [...past.toolCalls] }] });
  const execution = { ...attempt.execution, retriesSince: own?.first_attempt ?? number };
  return { kind: 'open', attempt: { ...attempt, execution }, past };
}

/** The part of the first turn that holds for all others; null before it has ended. */
export function openingOf(turns: readonly AgentTurnRow[]): Opening | null {
  const opening = turns.find((turn) => turn.opening !== null)?.opening ?? null;
  return opening as unknown as Opening | null;
}

async function pastOf(
  context: RunContext,
  stepId: string,
  turns: readonly AgentTurnRow[],
): Promise<AgentPast> {
  const calls = await readCalls(context.sql, stepId);
  return {
    opening: openingOf(turns),
    turns: turns.flatMap((turn) => (turn.reply === null ? [] : [pastTurn(turn, calls)])),
    toolCalls: calls.map(shownCall),
  };
}

function pastTurn({ turn, reply, usage }: AgentTurnRow, all: readonly AgentCallRow[]): PastTurn {
  const calls = all.filter((call) => call.turn === turn);
  const { content, correction } = reply as JsonObject & { content: string; correction: string | null };
  return {
    content,
    correction,
    usage: usage as unknown as Usage,
    hasRefusal: calls.some((call) => requestOf(call).refusal !== null),
    calls: calls.map((call) => {
      const { id, name, text } = requestOf(call);
      return { id, name, arguments: text, ...toldOf(call.answer) };
    }),
  };
}

/** The tool of the node's config that a call names. @throws NodeError when the config has none */
export function toolOf(context: RunContext, { node }: NodeExecution, name: string): AgentTool {
  const { tools } = context.ready.configs[node.index] as AgentConfig;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new NodeError('internal_error', `The agent has no tool ${name}`);
  return tool;
}

/** The work of the interpreter after a turn: the calls that have no answer yet. */
export async function turnResult(
  context: RunContext,
  execution: NodeExecution,
  turn: number,
): Promise<AgentTurnResult> {
  const { parallel_tool_calls: parallel } = context.ready.configs[execution.node.index] as AgentConfig;
  const open = (await readCalls(context.sql, execution.stepId)).filter(
    (row) => row.turn === turn && row.status !== 'done',
  );
  const calls = open
    .filter((row) => row.status !== 'asked')
    .map((row) => {
      const tool = toolOf(context, execution, requestOf(row).name);
      const { placement, maxAttempts } = callablePolicy(tool.config);
      const isChild = placement === 'child';
      return { call: row.call, name: tool.name, isChild, timeoutMs: timeoutOf(execution, tool), maxAttempts };
    });
  return { outcome: null, calls, atOnce: parallel ? CALLS_AT_ONCE : 1, asks: calls.length < open.length };
}

/** How long a tool call may take: as long as a node of its kind, and no longer than a turn of the agent. */
export function timeoutOf({ node }: NodeExecution, tool: AgentTool): number {
  return Math.min(callablePolicy(tool.config).timeoutMs, node.policy.timeoutMs);
}
