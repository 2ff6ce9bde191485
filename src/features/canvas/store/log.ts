/** The write-ahead log of accepted operations: appends, marks saved ones and purges old ones. */
import type { Sql } from '../../../base/db/client.ts';
import type { SavedRange, WalRow } from '../room/ports.ts';
import { RETENTION } from './load.ts';

/**
 * Locks leases in the same order as their renewal, so that the two cannot deadlock. An existing row is kept, and marked when
 * a save contains it by now.
 */
const APPEND = `
  WITH held AS MATERIALIZED (
    SELECT workflow_id, epoch FROM realtime_room_leases WHERE workflow_id = ANY($1::uuid[])
    ORDER BY workflow_id FOR SHARE
  )
  INSERT INTO realtime_ops AS o
    (workflow_id, epoch, version, op_id, user_id, op, content_hash, base_edit_version, saved_in)
  SELECT r.* FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::text[], $5::uuid[], $6::json[], $7::text[],
                         $8::int[], $9::int[])
    AS r (workflow_id, epoch, version, op_id, user_id, op, content_hash, base_edit_version, saved_in)
  JOIN held USING (workflow_id, epoch)
  ON CONFLICT (workflow_id, op_id) DO UPDATE SET saved_in = EXCLUDED.saved_in
  WHERE o.saved_in IS NULL AND EXCLUDED.saved_in IS NOT NULL AND o.epoch = EXCLUDED.epoch`;

/** Appends the rows whose epoch still holds the lease; leaves out the others. @throws the database's error */
export async function appendOps(sql: Sql, rows: readonly WalRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(APPEND, [
    rows.map((row) => row.workflowId),
    rows.map((row) => row.epoch),
    rows.map((row) => row.version),
    rows.map((row) => row.opId),
    rows.map((row) => row.userId),
    rows.map((row) => JSON.stringify(row.op)),
    rows.map((row) => row.contentHash),
    rows.map((row) => row.baseEditVersion),
    rows.map((row) => row.savedIn),
  ]);
}

/** Marks operations as contained in the edit version `savedIn`. @throws the database's error */
export async function markOpsSaved(
  sql: Sql,
  workflowId: string,
  { epoch, through, savedIn }: SavedRange,
): Promise<void> {
  await sql.query(
    `UPDATE realtime_ops SET saved_in = $4
     WHERE workflow_id = $1 AND saved_in IS NULL AND (epoch < $2 OR (epoch = $2 AND version <= $3))
       AND EXISTS (SELECT 1 FROM realtime_room_leases WHERE workflow_id = $1 AND epoch = $2)`,
    [workflowId, epoch, through, savedIn],
  );
}

const PURGE_ROWS = 5_000;

/** Deletes up to 5,000 operations that were saved over an hour ago. @returns how many */
export async function purgeOps(sql: Sql): Promise<number> {
  const gone = await sql.query(
    `DELETE FROM realtime_ops WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM realtime_ops WHERE created_at < now() - ${RETENTION} AND saved_in IS NOT NULL LIMIT ${PURGE_ROWS}))
     RETURNING 1`,
  );
  return gone.length;
}
