/** Renews and releases the leases of rooms (load.ts claims them), and answers flush requests. */
import type { Sql } from '../../../base/db/client.ts';
import type { LiveRoom } from '../room/room-api.ts';
import type { RoomKey } from '../room/ports.ts';
import { LEASE_SECONDS } from './load.ts';

/** Locks in the same order as the log (log.ts), so that the two cannot deadlock. */
const RENEW = `
  WITH held AS MATERIALIZED (
    SELECT workflow_id FROM realtime_room_leases JOIN unnest($1::uuid[], $2::bigint[]) AS ours (workflow_id, epoch)
      USING (workflow_id, epoch)
    ORDER BY workflow_id FOR NO KEY UPDATE OF realtime_room_leases
  )
  UPDATE realtime_room_leases l SET expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
  FROM held WHERE l.workflow_id = held.workflow_id
  RETURNING l.workflow_id AS "workflowId"`;

/** Renews all leases in one statement. @returns the rooms whose lease is lost */
export async function renewLeases(sql: Sql, rooms: readonly LiveRoom[]): Promise<readonly LiveRoom[]> {
  const rows = await sql.query<{ workflowId: string }>(RENEW, [
    rooms.map((room) => room.workflowId),
    rooms.map((room) => room.epoch),
  ]);
  const renewed = new Set(rows.map((row) => row.workflowId));
  return rooms.filter((room) => !renewed.has(room.workflowId));
}

/** Expires a lease, so that the next owner need not wait. The row stays, so that its epoch never falls. */
export async function releaseLease(sql: Sql, key: RoomKey, epoch: bigint): Promise<void> {
  await sql.query(
    `UPDATE realtime_room_leases SET expires_at = '-infinity' WHERE workflow_id = $1 AND epoch = $2`,
    [key.workflowId, epoch],
  );
}

/** Records that the flush request numbered `request`, and all before it, are done. */
export async function answerFlush(sql: Sql, workflowId: string, request: number): Promise<void> {
  await sql.query(
    'UPDATE realtime_room_leases SET flush_done = greatest(flush_done, $2) WHERE workflow_id = $1',
    [workflowId, request],
  );
}
