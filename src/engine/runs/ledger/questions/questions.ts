/**
 * The questions of a run as its walk changes them: opened with the step of their node, taken when they are answered, expired by
 * their timer, cancelled with their run or visit. interrupts.ts has the side of those who answer.
 */
import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { Question } from '../../../../language/nodes/kind.ts';
import type { RunRef } from '../../engine.ts';
import type { SegmentKey } from '../write/segments.ts';

export type InterruptStatus = 'pending' | 'claimed' | 'consumed' | 'expired' | 'cancelled' | 'superseded';

/** A question, for its run and for those who answer it. */
export interface InterruptRow {
  readonly id: string;
  readonly status: InterruptStatus;
  readonly run_pk: string;
  readonly node_id: string;
  readonly visit: number;
  /** The tool call of an agent that the question is about: turns count from 1, so 0 is a question of the node itself. */
  readonly turn: number;
  /** Of a question of the node itself: 0, or the attempt that counts from its pause. */
  readonly call: number;
  readonly step_id: string;
  readonly question: Question & JsonObject;
  readonly response: { action: string | null; data: Json; responses?: Json } | null;
  readonly responded_by: string | null;
  readonly responded_email: string | null;
  readonly responded_at: Date | null;
  readonly expires_at: Date | null;
  /** Whether it has expired by the database's clock; its timer may not have fired yet. */
  readonly is_overdue: boolean;
  readonly created_at: Date;
}

/** The fields of a question that its frames and its record show alike. */
export function toQuestionFields(question: Question): JsonObject {
  const { kind, title, message, payload, form, actions, assignees, requiredResponses = 1 } = question;
  return {
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
  };
}

/** A visit of a node. */
interface Visit {
  readonly nodeId: string;
  readonly visit: number;
}

const NAMES = [
  'id',
  'status',
  'run_pk',
  'node_id',
  'visit',
  'turn',
  'call',
  'step_id',
  'question',
  'response',
  'responded_by',
  'responded_email',
  'responded_at',
  'expires_at',
  'created_at',
];
/** The columns of an InterruptRow, for `run_interrupts` as `i`. */
export const INTERRUPT_COLUMNS = `${NAMES.map((name) => `i.${name}`).join(', ')}, coalesce(i.expires_at <= now(), false) AS is_overdue`;

/**
 * Inserts a pending question. Clients answer it by its id.
 * @param about the tool call that needs approval; zeros for a question of the node itself
 */
export async function insertQuestion(
  sql: Sql,
  { organizationId, rootRunPk, runPk }: SegmentKey,
  {
    nodeId,
    visit,
    stepId,
    question,
    about,
  }: Visit & {
    readonly stepId: string;
    readonly question: Question;
    readonly about: Pick<InterruptRow, 'turn' | 'call'>;
  },
): Promise<InterruptRow> {
  const [row] = await sql.query<InterruptRow>(
    `INSERT INTO run_interrupts AS i (id, organization_id, root_run_pk, run_pk, node_id, visit, step_id, question, expires_at,
                                      turn, call)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::json, clock_timestamp() + make_interval(secs => $9::double precision),
             $10, $11)
     RETURNING ${INTERRUPT_COLUMNS}`,
    [
      `int_${randomBytes(12).toString('hex')}`,
      organizationId,
      rootRunPk,
      runPk,
      nodeId,
      visit,
      stepId,
      JSON.stringify(question),
      question.timeoutSeconds,
      about.turn,
      about.call,
    ],
  );
  if (row === undefined) throw new Error('The question was not written');
  return row;
}

/**
 * Takes the answers that were claimed for these visits of a run, in the order of their ids; they are consumed with the caller's
 * transaction.
 */
export async function consumeAnswers(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
  visits: readonly Visit[],
): Promise<InterruptRow[]> {
  const rows = await sql.query<InterruptRow>(
    `UPDATE run_interrupts i SET status = 'consumed'
     FROM unnest($3::text[], $4::int[]) AS v(node_id, visit)
     WHERE i.root_run_pk = $1 AND i.organization_id = $2 AND i.node_id = v.node_id AND i.visit = v.visit
       AND i.status = 'claimed' RETURNING ${INTERRUPT_COLUMNS}`,
    [rootRunPk, organizationId, visits.map(({ nodeId }) => nodeId), visits.map(({ visit }) => visit)],
  );
  return rows.toSorted((a, b) => a.id.localeCompare(b.id));
}

/**
 * Expires the pending questions whose timer fired, by compare-and-set. An agent has one timer for all its questions, so the time of
 * the timer decides which; its next question may have a day left. No clock does: those of Temporal and PostgreSQL may differ.
 * @returns the expired questions; none when they were answered before
 */
export function expireQuestions(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
  { nodeId, visit, fireAtMs }: Visit & { readonly fireAtMs: number },
): Promise<InterruptRow[]> {
  return sql.query<InterruptRow>(
    `UPDATE run_interrupts i SET status = 'expired', responded_at = clock_timestamp()
     WHERE i.root_run_pk = $1 AND i.organization_id = $2 AND i.node_id = $3 AND i.visit = $4 AND i.status = 'pending'
       AND i.expires_at <= $5::timestamptz + interval '1 second'
     RETURNING ${INTERRUPT_COLUMNS}`,
    [rootRunPk, organizationId, nodeId, visit, new Date(fireAtMs)],
  );
}

/** Reads the pending questions of a run, in the order of their nodes and tool calls. */
export function readPendingQuestions(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
): Promise<InterruptRow[]> {
  return sql.query<InterruptRow>(
    `SELECT ${INTERRUPT_COLUMNS} FROM run_interrupts i JOIN run_steps s ON s.step_id = i.step_id
     WHERE i.root_run_pk = $1 AND i.organization_id = $2 AND i.status = 'pending'
     ORDER BY s.position, i.turn, i.call, i.id`,
    [rootRunPk, organizationId],
  );
}

/** Reads when the first pending question of a visit expires; null: never. */
export async function readFirstExpiry(
  sql: Sql,
  { organizationId, rootRunPk, nodeId, visit }: RunRef & Visit,
): Promise<Date | null> {
  const [row] = await sql.query<{ at: Date | null }>(
    `SELECT min(expires_at) AS at FROM run_interrupts
     WHERE root_run_pk = $1 AND organization_id = $2 AND node_id = $3 AND visit = $4 AND status = 'pending'`,
    [rootRunPk, organizationId, nodeId, visit],
  );
  return row?.at ?? null;
}

/** Cancels the open questions of visits whose loop came round. @returns the questions */
export function cancelVisitQuestions(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
  visits: readonly Visit[],
): Promise<InterruptRow[]> {
  return sql.query<InterruptRow>(
    `UPDATE run_interrupts i SET status = 'cancelled'
     FROM unnest($3::text[], $4::int[]) AS v(node_id, visit)
     WHERE i.root_run_pk = $1 AND i.organization_id = $2 AND i.node_id = v.node_id AND i.visit = v.visit
       AND i.status IN ('pending', 'claimed')
     RETURNING ${INTERRUPT_COLUMNS}`,
    [rootRunPk, organizationId, visits.map(({ nodeId }) => nodeId), visits.map(({ visit }) => visit)],
  );
}

/** Sets the open questions of runs to a status: they can no longer be answered. */
export async function closeQuestions(
  sql: Sql,
  rootRunPks: readonly string[],
  status: 'cancelled' | 'superseded',
): Promise<void> {
  await sql.query(
    `UPDATE run_interrupts SET status = $2
     WHERE root_run_pk = ANY($1::uuid[]) AND status IN ('pending', 'claimed')`,
    [rootRunPks, status],
  );
}

/** Changes what a pending question shows. */
export async function changeQuestion(
  sql: Sql,
  {
    organizationId,
    interruptId,
    question,
  }: { readonly organizationId: string; readonly interruptId: string; readonly question: Question },
): Promise<void> {
  await sql.query(
    `UPDATE run_interrupts SET question = $3::json WHERE id = $1 AND organization_id = $2 AND status = 'pending'`,
    [interruptId, organizationId, JSON.stringify(question)],
  );
}
