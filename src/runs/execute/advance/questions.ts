/** Questions of a run: opened with the step of their node, settled by a claimed answer or by their expiry. */
import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../../../graph/value.ts';
import type { Sql } from '../../../db/client.ts';
import { claimKeptAnswer } from '../../ledger/callback-answers.ts';
import type { NewEvent } from '../../ledger/events.ts';
import { NodeError } from '../../../nodes/kind.ts';
import type { Question } from '../../../nodes/kind.ts';
import { toNodeError, concludeFailure, concludeSuccess, toSuccess } from '../attempt/conclusion.ts';
import type { Conclusion } from '../attempt/conclusion.ts';
import { buildNodeEvent } from '../frames.ts';
import { formatNodeLabel, type OpenQuestion } from '../protocol.ts';
import type { ExecutionScope, NodeExecution, RunContext } from '../context.ts';

export interface InterruptRow {
  readonly id: string;
  readonly run_pk: string;
  readonly node_id: string;
  readonly visit: number;
  /** The tool call of an agent that the question is about: turns count from 1, so 0 is a question of the node itself. */
  readonly turn: number;
  readonly call: number;
  readonly step_id: string;
  readonly question: Question & JsonObject;
  readonly response: { action: string | null; data: Json; responses?: Json } | null;
  readonly responded_by: string | null;
  readonly responded_email: string | null;
  readonly responded_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

const COLUMNS =
  'id, run_pk, node_id, visit, turn, call, step_id, question, response, responded_by, responded_email, responded_at, expires_at, created_at';

/**
 * Inserts a pending question. Clients answer it by its id.
 * @param about the tool call that needs approval; zeros for a question of the node itself
 */
export async function openQuestion(
  { context, execution }: ExecutionScope,
  question: Question,
  about = { turn: 0, call: 0 },
): Promise<InterruptRow> {
  const { segment } = context;
  const rows = await context.sql.query<InterruptRow>(
    `INSERT INTO run_interrupts (id, organization_id, root_run_pk, run_pk, node_id, visit, step_id, question, expires_at,
                                 turn, call)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::json, clock_timestamp() + make_interval(secs => $9::double precision),
             $10, $11)
     RETURNING ${COLUMNS}`,
    [
      `int_${randomBytes(12).toString('hex')}`,
      segment.organizationId,
      segment.rootRunPk,
      segment.runPk,
      execution.node.id,
      execution.visit,
      execution.stepId,
      JSON.stringify(question),
      question.timeoutSeconds,
      about.turn,
      about.call,
    ],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('The question was not written');
  return row;
}

/** Answers a callback that was called before it waits. @returns whether it was */
export async function answerEarly({ sql, segment }: RunContext, row: InterruptRow): Promise<boolean> {
  if (row.question.kind !== 'callback') return false;
  const { rootRunPk } = segment;
  return claimKeptAnswer(sql, { interruptId: row.id, rootRunPk, nodeId: row.node_id, visit: row.visit });
}

/** Takes the answers that were claimed for this run; they are consumed with the caller's transaction. */
export async function takeAnswers({ sql, segment, ready }: RunContext): Promise<InterruptRow[]> {
  if (!ready.asks) return [];
  const rows = await sql.query<InterruptRow>(
    `UPDATE run_interrupts SET status = 'consumed' WHERE root_run_pk = $1 AND status = 'claimed' RETURNING ${COLUMNS}`,
    [segment.rootRunPk],
  );
  return rows.toSorted((a, b) => a.id.localeCompare(b.id));
}

/**
 * Expires the pending questions whose timer fired, by compare-and-set. An agent has one timer for all its questions, so the earliest
 * expiry in the database decides which: the clocks of Temporal and PostgreSQL may differ.
 * @returns the expired questions; none when they were answered before
 */
export async function expireQuestions(
  sql: Sql,
  {
    rootRunPk,
    nodeId,
    visit,
  }: { readonly rootRunPk: string; readonly nodeId: string; readonly visit: number },
): Promise<InterruptRow[]> {
  return sql.query<InterruptRow>(
    `UPDATE run_interrupts SET status = 'expired', responded_at = clock_timestamp()
     WHERE root_run_pk = $1 AND node_id = $2 AND visit = $3 AND status = 'pending'
       AND expires_at <= (SELECT min(p.expires_at) FROM run_interrupts p
                          WHERE p.root_run_pk = $1 AND p.node_id = $2 AND p.visit = $3 AND p.status = 'pending')
                         + interval '1 second'
     RETURNING ${COLUMNS}`,
    [rootRunPk, nodeId, visit],
  );
}

/** Reads the pending questions of a run, in the order of their nodes and tool calls. */
export async function readPendingQuestions(sql: Sql, rootRunPk: string): Promise<InterruptRow[]> {
  const columns = COLUMNS.split(', ')
    .map((name) => `i.${name}`)
    .join(', ');
  return sql.query<InterruptRow>(
    `SELECT ${columns} FROM run_interrupts i JOIN run_steps s ON s.step_id = i.step_id
     WHERE i.root_run_pk = $1 AND i.status = 'pending' ORDER BY s.position, i.turn, i.call, i.id`,
    [rootRunPk],
  );
}

/** Reads the pending questions as operators see them in Temporal. */
export async function readOpenQuestions(context: RunContext): Promise<OpenQuestion[]> {
  const rows = await readPendingQuestions(context.sql, context.segment.rootRunPk);
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

export async function cancelQuestions(sql: Sql, rootRunPk: string): Promise<void> {
  await sql.query(
    `UPDATE run_interrupts SET status = 'cancelled' WHERE root_run_pk = $1 AND status IN ('pending', 'claimed')`,
    [rootRunPk],
  );
}

/** Builds the fields of a question in the `interrupt` frame and in the terminal frame. */
export function buildQuestionFields(row: InterruptRow): JsonObject {
  const { kind, title, message, payload, form, actions, assignees, requiredResponses = 1 } = row.question;
  return {
    interrupt_id: row.id,
    kind,
    title,
    message,
    payload,
    form,
    actions: actions.map(({ id, label }) => ({ id, label })),
    required_responses: requiredResponses,
    assignees: {
      roles: [...assignees.roles],
      user_ids: [...assignees.user_ids],
      emails: [...(assignees.emails ?? [])],
    },
    expires_at: row.expires_at?.toISOString() ?? null,
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
export function concludeQuestion(scope: ExecutionScope, row: InterruptRow, timedOut: boolean): Conclusion {
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
