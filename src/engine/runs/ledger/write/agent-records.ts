/** The records of agents: their turns, and the tool calls that each turn requested, joined with their steps. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { Opening } from '../../../../language/nodes/agent/agent.ts';
import type { RequestedCall } from '../../../../language/nodes/agent/offer.ts';
import type { ModelTool, Usage } from '../../../../language/nodes/tools.ts';
import type { InterruptStatus } from '../questions/questions.ts';
import type { StepKey } from './steps.ts';

/** The model's reply in a turn. */
interface TurnReply {
  readonly content: string;
  readonly correction: string | null;
  readonly calls: readonly RequestedCall[];
}

export interface AgentTurnRow {
  readonly turn: number;
  /** The attempt of the step in which the turn began. */
  readonly first_attempt: number;
  /** Set on the first turn only. */
  readonly opening: Opening | null;
  /** Null until the model has replied. */
  readonly reply: TurnReply | null;
  readonly usage: Usage | null;
}

/** Reads the turns of a step, oldest first. */
export function readTurns(sql: Sql, stepId: string): Promise<AgentTurnRow[]> {
  return sql.query<AgentTurnRow>(
    `SELECT turn, first_attempt, opening, reply, usage FROM agent_turns WHERE step_id = $1 ORDER BY turn`,
    [stepId],
  );
}

/** Reads the tools that were offered to the model of an agent. */
export async function readOffers(sql: Sql, stepId: string): Promise<readonly ModelTool[]> {
  const [row] = await sql.query<{ offers: readonly ModelTool[] | null }>(
    `SELECT opening->'tools' AS offers FROM agent_turns WHERE step_id = $1 AND turn = 1`,
    [stepId],
  );
  return row?.offers ?? [];
}

/** Inserts a turn that starts. */
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

/** Ends a turn with the model's reply. @returns false when it had ended before */
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

/** Finds the step of an agent's execution that has its turns: the one of the segment in which it worked last. */
export async function findAgentStep(
  sql: Sql,
  rootRunPk: string,
  { nodeId, visit }: { readonly nodeId: string; readonly visit: number },
): Promise<{ readonly step_id: string; readonly run_pk: string } | null> {
  const rows = await sql.query<{ step_id: string; run_pk: string }>(
    `SELECT s.step_id, s.run_pk FROM run_steps s
     WHERE s.root_run_pk = $1 AND s.node_id = $2 AND s.visit = $3 AND s.item_index = -1 AND s.turn = 0
       AND EXISTS (SELECT 1 FROM agent_turns t WHERE t.step_id = s.step_id)`,
    [rootRunPk, nodeId, visit],
  );
  return rows[0] ?? null;
}

/** Moves the turns of an agent that continues in another segment to its new step. The steps of its calls stay where they are. */
export async function moveTurns(sql: Sql, fromStepId: string, toStepId: string): Promise<void> {
  await sql.query('UPDATE agent_turns SET step_id = $2 WHERE step_id = $1', [fromStepId, toStepId]);
}

/** The most of a tool result that the model receives. */
export const MAX_RESULT_BYTES = 32 * 1024;

/** A tool call that a model requested, with its question, its step and its result. */
export interface AgentCallRow {
  readonly agentStepId: string;
  readonly turn: number;
  readonly call: number;
  readonly request: RequestedCall;
  /** The status of its approval question; null: no approval was needed. */
  readonly question: InterruptStatus | null;
  readonly interruptId: string | null;
  readonly response: { readonly action: string | null; readonly data: Json } | null;
  /** Null: it has not started. */
  readonly stepId: string | null;
  readonly hasEnded: boolean;
  readonly error: JsonObject | null;
  readonly result: Json;
  /** The beginning of a result above MAX_RESULT_BYTES, as text; `result` is then null. */
  readonly beginning: string | null;
  /** Length of the whole text of such a result. */
  readonly bytes: number | null;
  /** From its first attempt to its end. */
  readonly tookMs: number | null;
}

// A run that was paused has executed some of the calls in earlier segments. An array of segments lets the lookup use the whole key of
// a step; by node alone the index would read the steps of all items of a map with thousands of agents. Without OFFSET the server would
// write the expressions of a result into each use of them, and parse an output of megabytes five times.
const CALLS = `
  SELECT a.step_id AS "agentStepId", t.turn, c.place::int - 1 AS call, c.request, i.status AS question, i.id AS "interruptId", i.response,
         s.step_id AS "stepId", s.outcome IS NOT NULL AS "hasEnded", s.error,
         CASE WHEN r.text IS NULL THEN r.data END AS result, left(r.text, ${MAX_RESULT_BYTES}) AS beginning, octet_length(r.text) AS bytes,
         round(extract(epoch FROM s.completed_at - s.started_at) * 1000)::int AS "tookMs"
  FROM run_steps a
  JOIN agent_turns t ON t.step_id = a.step_id
  CROSS JOIN LATERAL json_array_elements(t.reply->'calls') WITH ORDINALITY AS c (request, place)
  LEFT JOIN run_interrupts i ON i.root_run_pk = a.root_run_pk AND i.node_id = a.node_id AND i.visit = a.visit
    AND i.turn = t.turn AND i.call = c.place - 1
  LEFT JOIN run_steps s ON s.run_pk = ANY (ARRAY(SELECT g.id FROM runs g WHERE g.root_run_pk = a.root_run_pk))
    AND s.node_id = a.node_id AND s.visit = a.visit AND s.item_index = a.item_index
    AND s.turn = t.turn AND s.call = c.place - 1
  LEFT JOIN LATERAL (
    SELECT d.data, CASE WHEN octet_length(d.data::text) > ${MAX_RESULT_BYTES}
      THEN CASE json_typeof(d.data) WHEN 'string' THEN d.data#>>'{}' ELSE d.data::text END END AS text
    FROM (SELECT s.output->'data' AS data OFFSET 0) AS d
    OFFSET 0
  ) AS r ON true
  WHERE a.run_pk = $1 AND a.node_id = $2 AND a.visit = $3 AND a.item_index = $4 AND a.turn = 0
    AND ($5::int IS NULL OR t.turn = $5) AND ($6::int IS NULL OR c.place - 1 = $6)
  ORDER BY t.turn, c.place`;

/** A request for the tool calls of an agent. */
export interface CallsKey extends StepKey {
  /** Leaves out the calls of other turns. */
  readonly ofTurn?: boolean;
}

/** Reads the tool calls of an agent, in the order in which its model requested them; or the one that `key` names. */
export function readCalls(
  sql: Sql,
  { runPk, nodeId, visit, itemIndex, turn, call, ofTurn = call !== undefined }: CallsKey,
): Promise<AgentCallRow[]> {
  const only = [ofTurn ? turn : null, call ?? null];
  return sql.query<AgentCallRow>(CALLS, [runPk, nodeId, visit, itemIndex, ...only]);
}
