/** The recorded request of a step whose outcome nobody knows. */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import { readerParams, VISIBLE, type Reader } from './run-reads.ts';

/** A larger request is read by nobody to look for its effect. */
const MAX_REQUEST_BYTES = 65_536;

interface SentRequest {
  readonly runPk: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly sentAt: Date;
  /** Null: it was deleted, or has more than 64 KiB. */
  readonly request: Json;
}

/**
 * Finds the request of a step that has failed with an unknown outcome, or that asks people about it; null when the reader may not see one. Items and
 * tool calls are none.
 */
export async function findSentRequest(sql: Sql, reader: Reader, stepId: string): Promise<SentRequest | null> {
  const [row] = await sql.query<SentRequest>(
    `SELECT r.id AS "runPk", s.node_id AS "nodeId", s.node_name AS "nodeName", coalesce(s.sent_at, s.started_at) AS "sentAt",
            CASE WHEN octet_length(s.input::text) <= ${MAX_REQUEST_BYTES} THEN s.input END AS request
     FROM run_steps s JOIN runs r ON r.id = s.run_pk
     WHERE s.step_id = $4 AND ${VISIBLE} AND NOT r.ephemeral AND s.item_index = -1 AND s.turn = 0
       AND (s.status = 'failed' AND s.error->>'code' = 'outcome_unknown'
            OR EXISTS (SELECT FROM run_interrupts i WHERE i.root_run_pk = s.root_run_pk AND i.step_id = s.step_id
                         AND i.status = 'pending' AND i.kind = 'unknown_effect'))`,
    [...readerParams(reader), stepId],
  );
  return row ?? null;
}
