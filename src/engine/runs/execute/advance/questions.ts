/** Questions of a run: opened with the step of their node, settled by a claimed answer or by their expiry. */
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { claimKeptAnswer } from '../../ledger/questions/callback-answers.ts';
import type { NewEvent } from '../../ledger/write/events.ts';
import {
  insertQuestion,
  toQuestionFields,
  readPendingQuestions,
  type InterruptRow,
} from '../../ledger/questions/questions.ts';
import { NodeError } from '../../../../language/nodes/kind.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import { toNodeError, concludeFailure, concludeSuccess, toSuccess } from '../../walk/conclusion.ts';
import type { Conclusion } from '../../walk/conclusion.ts';
import { buildNodeEvent } from '../../walk/frames.ts';
import { formatNodeLabel, type OpenQuestion } from '../protocol.ts';
import type { RunContext, RunScope } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';

/**
 * Opens a question of an execution.
 * @param about the tool call that needs approval; zeros for a question of the node itself
 */
export function openQuestion(
  { context, execution }: RunScope,
  question: Question,
  about = { turn: 0, call: 0 },
): Promise<InterruptRow> {
  const { node, visit, stepId } = execution;
  return insertQuestion(context.sql, context.segment, { nodeId: node.id, visit, stepId, question, about });
}

/** Answers a callback that was called before it waits. @returns whether it was */
export async function answerEarly({ sql, segment }: RunContext, row: InterruptRow): Promise<boolean> {
  if (row.question.kind !== 'callback') return false;
  const { rootRunPk } = segment;
  return claimKeptAnswer(sql, { interruptId: row.id, rootRunPk, nodeId: row.node_id, visit: row.visit });
}

/** Reads the pending questions as operators see them in Temporal. */
export async function readOpenQuestions(context: RunContext): Promise<OpenQuestion[]> {
  const rows = await readPendingQuestions(context.sql, context.segment);
  return rows.map((row) => toOpenQuestion(context, row));
}

/** Converts a question to the form that operators see in Temporal. */
export function toOpenQuestion({ ready }: RunContext, row: InterruptRow): OpenQuestion {
  const { node_id, question, expires_at, created_at } = row;
  const { roles, user_ids: users } = question.assignees;
  const node = ready.nodeById.get(node_id);
  return {
    nodeLabel: node === undefined ? node_id : formatNodeLabel(node),
    assignees: [...roles, ...users],
    since: created_at.toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
  };
}

/** Builds the fields of a question in the `interrupt` frame and in the terminal frame. */
export function buildQuestionFields(row: InterruptRow): JsonObject {
  return {
    interrupt_id: row.id,
    ...toQuestionFields(row.question),
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

/** Builds the execution that asked a question, for events about it; null when the plan has no such node. */
export function toQuestionExecution({ ready }: RunContext, row: InterruptRow): NodeExecution | null {
  const node = ready.nodeById.get(row.node_id);
  if (node === undefined) return null;
  return {
    node,
    visit: row.visit,
    depth: 0,
    position: 0,
    iteration: null,
    loop: {},
    stepId: row.step_id,
    attempt: 1,
    item: null,
  };
}

export function buildResolvedEvent(row: InterruptRow, execution: NodeExecution, timedOut: boolean): NewEvent {
  return buildNodeEvent('interrupt_resolved', execution, {
    interrupt_id: row.id,
    action: row.response?.action ?? null,
    responded_by: row.responded_by,
    timed_out: timedOut,
  });
}

/** Concludes a node whose question was answered or has expired (SPEC DEF-2.6). */
export function concludeQuestion(scope: RunScope, row: InterruptRow, timedOut: boolean): Conclusion {
  const { question } = row;
  if (timedOut && question.onTimeout === 'fail') {
    const failure = new NodeError('interrupt_timeout', 'Nobody answered in time');
    return concludeFailure(scope, failure, 1);
  }
  const answer = timedOut ? question.defaultResponse : row.response;
  const action = answer?.action ?? null;
  const output: JsonObject = {
    action,
    data: answer?.data ?? null,
    responded_by: row.responded_by,
    responded_at: row.responded_at?.toISOString() ?? null,
    timed_out: timedOut,
    // Of a person without an account.
    ...(row.responded_email === null ? {} : { responded_email: row.responded_email }),
    // Of a question that needs several answers.
    ...(row.response?.responses === undefined ? {} : { responses: row.response.responses }),
  };
  const handle = timedOut && question.onTimeout === 'branch' ? 'timeout' : (action ?? 'default');
  try {
    return concludeSuccess(scope, toSuccess({ outcome: 'completed', output, handle }), 0);
  } catch (error) {
    return concludeFailure(scope, toNodeError(error), 1);
  }
}
