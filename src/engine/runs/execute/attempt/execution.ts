/** One execution of a node or a tool call: its place in the run, its step, and its attempt in this process. */
import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../language/graph/values/value.ts';
import type { Sql } from '../../../../base/db/client.ts';
import { runAgentTool } from '../../../../language/nodes/agent/offer.ts';
import { NodeError, type NodeCall, type NodeResult } from '../../../../language/nodes/kind.ts';
import { getKind } from '../../../../language/nodes/registry.ts';
import type { StepRow } from '../../ledger/write/steps.ts';
import type { NodeExecution } from '../../walk/context.ts';
import { readMapItem } from '../../ledger/write/map-items.ts';
import { findToolExecution } from '../agent/calls.ts';
import type { RunContext } from '../context.ts';
import type { ExecuteDeps } from '../deps.ts';
import type { Meter } from '../metering.ts';
import { isToolCall, type NodeTask } from '../protocol.ts';
import type { AttemptEffects } from '../../walk/effects.ts';
import type { AttemptPlace } from './attempt-place.ts';
import type { AttemptControl } from './running-attempts.ts';
import { createInternalError } from '../../walk/internal-error.ts';

/** An execution with the meter of its attempt. */
export interface MeteredExecution extends NodeExecution {
  readonly meter: Meter;
  /** The attempt that retries count from: that of an agent's turn. */
  readonly retriesSince?: number;
}

/** An attempt that this process makes; it writes the end of no other. */
export interface Attempt {
  readonly deps: ExecuteDeps;
  readonly task: NodeTask;
  readonly execution: MeteredExecution;
  readonly control: AttemptControl;
  readonly place: AttemptPlace;
  /** The run, without a lock. */
  readonly context: RunContext;
  /** As it was opened. */
  readonly step: StepRow;
  readonly effects: AttemptEffects;
  /** Its start is recorded. Work without an effect may start before that. */
  isRecorded: boolean;
}

/** Builds the execution of a task. @param known its step and its item, when the caller has them */
export async function buildExecution(
  context: Pick<RunContext, 'sql' | 'ready'>,
  task: NodeTask,
  {
    step = null,
    item = null,
  }: {
    readonly step?: Pick<StepRow, 'step_id' | 'attempt'> | null;
    readonly item?: NodeExecution['item'];
  },
): Promise<NodeExecution> {
  const node = context.ready.nodeById.get(task.nodeId);
  if (node === undefined) throw createInternalError(`The plan has no node ${task.nodeId}`);
  const { visit, depth, position, iteration, loop } = task;
  const own = { stepId: step?.step_id ?? randomUUID(), attempt: step?.attempt ?? 1 };
  const known = task.itemIndex < 0 ? null : (item ?? (await readItem(context.sql, task)));
  const execution = { ...own, node, visit, depth, position, iteration, loop, item: known };
  return isToolCall(task) ? { ...(await findToolExecution(context, execution, task)), ...own } : execution;
}

/** Chooses the work of an execution: that of its kind of node, or the tool that an agent calls. */
export function chooseWork({
  node,
  toolCall,
}: NodeExecution): (call: NodeCall<unknown>) => Promise<NodeResult> | NodeResult {
  if (toolCall === undefined) return (call) => getKind(node.type).run(call);
  const { tool, request } = toolCall;
  return (call) => {
    if (tool === null) throw new NodeError('invalid_tool_call', request.refusal ?? '');
    return runAgentTool(call, tool, request.arguments ?? {});
  };
}

async function readItem(sql: Sql, task: NodeTask): Promise<NonNullable<NodeExecution['item']>> {
  const item = await readMapItem(sql, task);
  if (item === null) throw createInternalError('The mapped node has no step');
  return { index: task.itemIndex, value: item.value satisfies Json, parentStepId: item.parentStepId };
}
