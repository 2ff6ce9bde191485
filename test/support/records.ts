/** The records that runs leave in PostgreSQL, as the engine's tests look at them. */
import type { Sql } from '../../src/base/db/client.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import {
  chooseValues,
  readSteps,
  readStepSizes,
  type StepRecordRow,
} from '../../src/engine/runs/ledger/read/run-record.ts';
import type { StepRow } from '../../src/engine/runs/ledger/write/steps.ts';
import type { Played } from './engine.ts';
import { eventually } from './waiting.ts';

/** The steps of a run (of one node), in the order of their execution, an agent before its tool calls. */
export function stepsOf(sql: Sql, runPk: string, nodeId?: string): Promise<StepRow[]> {
  return sql.query<StepRow>(
    `SELECT * FROM run_steps WHERE run_pk = $1 AND ($2::text IS NULL OR node_id = $2)
     ORDER BY position, item_index, visit, turn, call`,
    [runPk, nodeId ?? null],
  );
}

export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: JsonObject;
}

/** The steps of a run as its record lists them. */
export async function recordedSteps(sql: Sql, runPk: string): Promise<StepRecordRow[]> {
  return readSteps(sql, runPk, { page: chooseValues(await readStepSizes(sql, runPk)) });
}

/** The calls of tools in the output of an agent. */
export const toolCallsOf = (played: Played): JsonObject[] =>
  (played.output as { tool_calls: JsonObject[] }).tool_calls;

/** An answer of the API that is written while it is read. */
export async function answerOf(pieces: AsyncIterable<string>): Promise<JsonObject> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text) as JsonObject;
}

/** The event log of a run. */
export function eventsOf(sql: Sql, runPk: string): Promise<StoredEvent[]> {
  return sql.query<StoredEvent>('SELECT seq, type, payload FROM run_events WHERE run_pk = $1 ORDER BY seq', [
    runPk,
  ]);
}

/** Waits until a run has an event about a node. */
export function happened(sql: Sql, runPk: string, type: string, nodeId: string): Promise<StoredEvent> {
  return eventually(`${type} of ${nodeId}`, 30_000, async () =>
    (await eventsOf(sql, runPk)).find((event) => event.type === type && event.payload['node_id'] === nodeId),
  );
}
