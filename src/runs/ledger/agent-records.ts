/** The rows of agents at work: their turns and their tool calls. A row is written before what comes after it begins. */
import type { Sql } from '../../db/client.ts';
import type { Json, JsonObject } from '../../graph/value.ts';

export interface AgentTurnRow {
  readonly turn: number;
  /** The attempt of the step in which the turn began. */
  readonly first_attempt: number;
  /** With the first turn alone. */
  readonly opening: JsonObject | null;
  /** Null while the model is asked. */
  readonly reply: JsonObject | null;
  readonly usage: JsonObject | null;
}

export interface AgentCallRow {
  readonly turn: number;
  readonly call: number;
  readonly asked: JsonObject;
  /** `asked`: waits for a person's word. */
  readonly status: 'asked' | 'ready' | 'running' | 'done';
  readonly attempt: number;
  /** Workers that were lost with it. */
  readonly lost: number;
  readonly sent_at: Date | null;
  readonly answer: { readonly result: Json; readonly error: JsonObject | null } | null;
  readonly child_run_pk: string | null;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
}

/** Which call of which turn of which step. */
export interface CallKey {
  readonly stepId: string;
  readonly turn: number;
  readonly call: number;
}

/** The turns of a step, oldest first. */
export function readTurns(sql: Sql, stepId: string): Promise<AgentTurnRow[]> {
  return sql.query<AgentTurnRow>(
    `SELECT turn, first_attempt, opening, reply, usage FROM agent_turns WHERE step_id = $1 ORDER BY turn`,
    [stepId],
  );
}

/** Begins a turn. */
export async function insertTurn(
  sql: Sql,
  stepId: string,
  { turn, attempt }: { readonly turn: number; readonly attempt: number },
): Promise<void> {
  await sql.query('INSERT INTO agent_turns (step_id, turn, first_attempt) VALUES ($1, $2, $3)', [
    stepId,
    turn,
    attempt,
  ]);
}

/** Ends a turn whose agent goes on. @returns false when it had ended before */
export async function endTurn(
  sql: Sql,
  stepId: string,
  { turn, opening, reply, usage }: Omit<AgentTurnRow, 'first_attempt'>,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE agent_turns SET opening = $3::json, reply = $4::json, usage = $5::json
     WHERE step_id = $1 AND turn = $2 AND reply IS NULL RETURNING 1`,
    [
      stepId,
      turn,
      opening === null ? null : JSON.stringify(opening),
      JSON.stringify(reply),
      JSON.stringify(usage),
    ],
  );
  return rows.length > 0;
}

const CALL = `turn, call, asked, status, attempt, lost, sent_at, answer, child_run_pk, started_at, completed_at`;

/** The calls of a step, in the order in which the model asked for them. */
export function readCalls(sql: Sql, stepId: string): Promise<AgentCallRow[]> {
  return sql.query<AgentCallRow>(`SELECT ${CALL} FROM agent_calls WHERE step_id = $1 ORDER BY turn, call`, [
    stepId,
  ]);
}

/** Reads one call for writing. */
export async function lockCall(sql: Sql, { stepId, turn, call }: CallKey): Promise<AgentCallRow | null> {
  const rows = await sql.query<AgentCallRow>(
    `SELECT ${CALL} FROM agent_calls WHERE step_id = $1 AND turn = $2 AND call = $3 FOR UPDATE`,
    [stepId, turn, call],
  );
  return rows[0] ?? null;
}

/** Writes down what the model asks for. One that has its answer is done at once. */
export async function insertCalls(
  sql: Sql,
  { stepId, turn }: Pick<CallKey, 'stepId' | 'turn'>,
  calls: readonly {
    readonly asked: JsonObject;
    readonly answer: AgentCallRow['answer'];
    readonly needsApproval: boolean;
  }[],
): Promise<void> {
  if (calls.length === 0) return;
  await sql.query(
    `INSERT INTO agent_calls (step_id, turn, call, asked, status, answer, started_at, completed_at)
     SELECT $1, $2, ord - 1, asked::json,
            CASE WHEN answer IS NOT NULL THEN 'done' WHEN waits THEN 'asked' ELSE 'ready' END, answer::json,
            CASE WHEN answer IS NOT NULL THEN clock_timestamp() END, CASE WHEN answer IS NOT NULL THEN clock_timestamp() END
     FROM unnest($3::text[], $4::text[], $5::boolean[]) WITH ORDINALITY AS one (asked, answer, waits, ord)`,
    [
      stepId,
      turn,
      calls.map(({ asked }) => JSON.stringify(asked)),
      calls.map(({ answer }) => (answer === null ? null : JSON.stringify(answer))),
      calls.map(({ needsApproval }) => needsApproval),
    ],
  );
}

/** A person lets a call be made, with the arguments as they are now. */
export async function approveCall(
  sql: Sql,
  { stepId, turn, call }: CallKey,
  asked: JsonObject,
): Promise<void> {
  await sql.query(
    `UPDATE agent_calls SET status = 'ready', asked = $4::json
     WHERE step_id = $1 AND turn = $2 AND call = $3 AND status = 'asked'`,
    [stepId, turn, call, JSON.stringify(asked)],
  );
}

/** The step of an agent's execution that has its turns: the one of the segment in which it worked last. */
export async function findAgentStep(
  sql: Sql,
  rootRunPk: string,
  { nodeId, visit }: { readonly nodeId: string; readonly visit: number },
): Promise<{ readonly step_id: string; readonly run_pk: string } | null> {
  const rows = await sql.query<{ step_id: string; run_pk: string }>(
    `SELECT s.step_id, s.run_pk FROM run_steps s
     WHERE s.root_run_pk = $1 AND s.node_id = $2 AND s.visit = $3 AND s.item_index = -1
       AND EXISTS (SELECT 1 FROM agent_turns t WHERE t.step_id = s.step_id)`,
    [rootRunPk, nodeId, visit],
  );
  return rows[0] ?? null;
}

/** An agent goes on in another segment of its run: its turns, and with them their calls, belong to its new step. */
export async function moveTurns(sql: Sql, fromStepId: string, toStepId: string): Promise<void> {
  await sql.query('UPDATE agent_turns SET step_id = $2 WHERE step_id = $1', [fromStepId, toStepId]);
}

/** Begins an attempt of a call. @returns its number */
export async function beginCall(sql: Sql, key: CallKey, isLost: boolean): Promise<number> {
  const [row] = await sql.query<{ attempt: number }>(
    `UPDATE agent_calls SET status = 'running', attempt = attempt + 1, lost = lost + $4, sent_at = NULL,
            started_at = coalesce(started_at, clock_timestamp())
     WHERE step_id = $1 AND turn = $2 AND call = $3 RETURNING attempt`,
    [key.stepId, key.turn, key.call, isLost ? 1 : 0],
  );
  return row?.attempt ?? 0;
}

/** Gives an attempt up for another one. */
export async function releaseCall(sql: Sql, { stepId, turn, call }: CallKey): Promise<void> {
  await sql.query(`UPDATE agent_calls SET status = 'ready' WHERE step_id = $1 AND turn = $2 AND call = $3`, [
    stepId,
    turn,
    call,
  ]);
}

/** The call becomes a child run. */
export async function setCallChild(sql: Sql, key: CallKey, childRunPk: string): Promise<void> {
  await sql.query(`UPDATE agent_calls SET child_run_pk = $4 WHERE step_id = $1 AND turn = $2 AND call = $3`, [
    key.stepId,
    key.turn,
    key.call,
    childRunPk,
  ]);
}

/** Ends a call. @returns how long it took, in milliseconds */
export async function endCall(
  sql: Sql,
  { stepId, turn, call }: CallKey,
  answer: NonNullable<AgentCallRow['answer']>,
): Promise<number> {
  const [row] = await sql.query<{ took: number }>(
    `UPDATE agent_calls SET status = 'done', answer = $4::json, completed_at = clock_timestamp()
     WHERE step_id = $1 AND turn = $2 AND call = $3
     RETURNING round(extract(epoch FROM completed_at - started_at) * 1000)::int AS took`,
    [stepId, turn, call, JSON.stringify(answer)],
  );
  return row?.took ?? 0;
}

/**
 * Says that the effect of a call is about to leave, or that it has not left after all. Fenced by the attempt and by
 * the step, which is over when its run is.
 * @returns false when this attempt is not the current one any more
 */
export async function markCallSent(
  sql: Sql,
  { stepId, turn, call, attempt }: CallKey & { readonly attempt: number },
  isSent: boolean,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE agent_calls SET sent_at = CASE WHEN $5 THEN clock_timestamp() END
     WHERE step_id = $1 AND turn = $2 AND call = $3 AND attempt = $4 AND status = 'running'
       AND EXISTS (SELECT 1 FROM run_steps WHERE step_id = $1 AND status = 'running') RETURNING 1`,
    [stepId, turn, call, attempt, isSent],
  );
  return rows.length === 1;
}
