/** The activities of a worker: bookkeeping (local), one activity per type of node, two for agents, two for documents. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { NODE_TYPES, SYSTEM_NODE_TYPES } from '../../src/graph/definition.ts';
import { addOutbox } from '../../src/runs/ledger/outbox-entry.ts';
import { acceptScheduledRun, settleScheduledRun } from '../../src/schedules/scheduled-run.ts';
import { completeDocument, failDocument } from '../../src/knowledge/ingest.ts';
import type { DocumentRef } from '../../src/knowledge/ingest-engine.ts';
import type { RunRef } from '../../src/runs/engine.ts';
import type {
  AdvanceInput,
  AgentCallTask,
  AgentTurnTask,
  NodeTask,
} from '../../src/runs/execute/protocol.ts';
import type { Firing } from '../../src/schedules/schedule-engine.ts';
import type {
  AgentActivities,
  IngestActivities,
  IngestFailure,
  InterpreterActivities,
  NodeActivities,
} from '../contract.ts';
import { SKELETON_PART, advance } from '../../src/runs/execute/advance.ts';
import { pauseAgent, resumeAgent } from '../../src/runs/execute/agent-approval.ts';
import { callAgentTool, settleAgentCall } from '../../src/runs/execute/agent-call.ts';
import { prepareAgentChild, settleAgentChild } from '../../src/runs/execute/agent-child.ts';
import { takeAgentTurn } from '../../src/runs/execute/agent-turn.ts';
import { closeCancelled } from '../../src/runs/execute/close-cancelled.ts';
import { embedDocument } from './embed-document.ts';
import { extractDocument } from './extract-document.ts';
import { failPoisoned, withPatience } from './poison.ts';
import type { EngineDeps } from '../../src/runs/execute/engine-deps.ts';
import { openRun } from '../../src/runs/execute/run-context.ts';
import { runNode } from '../../src/runs/execute/run-node.ts';
import { prepareChild, settleChild, settleLost, settleMap } from '../../src/runs/execute/settle-tasks.ts';

export function createInterpreterActivities(deps: EngineDeps): InterpreterActivities {
  return {
    advance: async (input: AdvanceInput) => {
      const { attempt } = Context.current().info;
      const result = await failPoisoned(deps, input, attempt, () => advance(deps, input));
      deps.onAdvanced?.(input);
      return result;
    },
    loadSkeleton: withPatience(deps, async (run: RunRef, part: number) => {
      const context = await openRun(deps.db, deps.plans, run, false);
      if (context === null) throw ApplicationFailure.nonRetryable('The run is gone', 'run_missing');
      const text = JSON.stringify(context.ready.skeleton(context.segment.recursionLimit));
      const at = part * SKELETON_PART;
      return {
        text: text.slice(at, at + SKELETON_PART),
        parts: Math.max(1, Math.ceil(text.length / SKELETON_PART)),
      };
    }),
    settleLost: withPatience(deps, (task: NodeTask, reason: string) => settleLost(deps, task, reason)),
    settleMap: withPatience(deps, (task: NodeTask) => settleMap(deps, task)),
    settleChild: withPatience(deps, (task: NodeTask) => settleChild(deps, task)),
    prepareChild: withPatience(deps, (task: NodeTask) => prepareChild(deps, task)),
    prepareAgentChild: withPatience(deps, (task: AgentCallTask) => prepareAgentChild(deps, task)),
    settleAgentChild: withPatience(deps, (task: AgentCallTask) => settleAgentChild(deps, task)),
    settleAgentCall: withPatience(deps, (task: AgentCallTask, reason: string) =>
      settleAgentCall(deps, task, reason),
    ),
    pauseAgent: withPatience(deps, (task: AgentTurnTask) => pauseAgent(deps, task)),
    resumeAgent: withPatience(deps, (task: AgentTurnTask) => resumeAgent(deps, task)),
    acceptScheduled: withPatience(deps, (firing: Firing) => acceptScheduledRun(deps.db, firing)),
    settleScheduled: withPatience(deps, (firing: Firing) => settleScheduledRun(deps.db, firing)),
    completeDocument: withPatience(deps, (document: DocumentRef) => completeDocument(deps.db, document)),
    failDocument: withPatience(deps, async (document: DocumentRef, error: IngestFailure) => {
      await failDocument(deps.db, document, error);
    }),
    closeCancelled: withPatience(deps, (run: RunRef, reason: string) => closeCancelled(deps.db, run, reason)),
    askCancellation: withPatience(deps, ({ organizationId, rootRunPk }: RunRef) =>
      addOutbox(deps.db, { kind: 'cancel', organizationId, runPk: rootRunPk, rootRunPk }),
    ),
  };
}

export function createNodeActivities(deps: EngineDeps): NodeActivities & AgentActivities {
  const nodes = Object.fromEntries(
    [...NODE_TYPES, ...SYSTEM_NODE_TYPES].map((type) => [type, (task: NodeTask) => runNode(deps, task)]),
  ) as NodeActivities;
  return {
    ...nodes,
    agent: (task: AgentTurnTask) => takeAgentTurn(deps, task),
    agentTool: (task: AgentCallTask) => callAgentTool(deps, task),
  };
}

export function createIngestActivities(deps: EngineDeps): IngestActivities {
  return {
    extractDocument: (document: DocumentRef) => extractDocument(deps, document),
    embedDocument: (document: DocumentRef) => embedDocument(deps, document),
  };
}
