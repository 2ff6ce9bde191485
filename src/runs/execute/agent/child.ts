/** Tool calls of an agent that are sub-workflows: the child run of each, and its end as the call's answer. */
import { setCallChild } from '../../ledger/agent-records.ts';
import { ChildRunRefused, acceptChildRun } from '../../accept/child-run.ts';
import { runAgentTool } from '../../../nodes/agent/offer.ts';
import { NodeError } from '../../../nodes/kind.ts';
import type { AgentCallTask, ChildStarted, ChildWait } from '../protocol.ts';
import { answerOf, requestOf, failedAnswer } from './answer.ts';
import { timeoutOf } from './past.ts';
import { answerCall, findCall, startCall } from './tools.ts';
import type { OpenCall } from './tools.ts';
import type { ExecuteDeps } from '../deps.ts';
import { ExecutionScope, SILENT, buildCall, loadFor } from '../context.ts';
import { PREPARE_MS, outputOfChild } from '../child.ts';

/**
 * Accepts the child run of a call; the same call always gets the same run.
 * @returns the child to start; null when there is none: the call has its answer, or its agent has ended
 */
export async function prepareAgentChild(
  deps: ExecuteDeps,
  task: AgentCallTask,
): Promise<ChildStarted | null> {
  try {
    return await deps.db.transaction(async (tx) => {
      const found = await findCall(deps, tx, task);
      if (found === null) return null;
      // Running already: this activity is repeated, and the call has its child.
      if (found.row.status === 'ready') await startCall(found);
      return accept(deps, found);
    });
  } catch (error) {
    if (!(error instanceof NodeError) && !(error instanceof ChildRunRefused)) throw error;
    await deps.db.transaction(async (tx) => {
      const found = await findCall(deps, tx, task);
      if (found === null) return;
      if (found.row.status === 'ready') await startCall(found);
      await answerCall(found, failedAnswer(error));
    });
    return null;
  }
}

async function accept(
  deps: ExecuteDeps,
  { context, execution, key, row, tool }: OpenCall,
): Promise<ChildStarted> {
  await loadFor(context, execution.node);
  const scope = new ExecutionScope(context, execution);
  const signal = AbortSignal.timeout(PREPARE_MS);
  const call = buildCall(scope, { signal, tools: deps.tools, emit: SILENT });
  const result = await runAgentTool(call, tool.config, requestOf(row).arguments ?? {});
  if (result.outcome !== 'child') throw new NodeError('internal_error', 'The tool asked for no child run');
  const accepted = await acceptChildRun(context.sql, {
    organizationId: context.segment.organizationId,
    parentRunPk: context.segment.runPk,
    parentStepId: key.stepId,
    parentCall: `${key.turn}.${key.call}`,
    ...result.child,
  });
  await setCallChild(context.sql, key, accepted.runPk);
  return { wait: result.child.wait, timeoutMs: timeoutOf(execution, tool), start: accepted.start };
}

/** The child run of a call has ended: its output is the answer, or the reason why it has none. */
export function settleAgentChild(deps: ExecuteDeps, task: AgentCallTask, wait: ChildWait): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const found = await findCall(deps, tx, task);
    if (found === null) return;
    try {
      const timeoutMs = timeoutOf(found.execution, found.tool);
      const child = await outputOfChild(tx, found.row.child_run_pk, { wait, timeoutMs });
      await answerCall(found, answerOf(child.output));
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      await answerCall(found, failedAnswer(error));
    }
  });
}
