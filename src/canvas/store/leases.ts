/** Leases of rooms after their claim (load.ts): renewal, release, and the answer to who waits for a save. */
import type { Sql } from '../../db/client.ts';
import type { LiveRoom } from '../room/room-api.ts';
import type { RoomKey } from '../room/ports.ts';
import { LEASE_SECONDS } from './load.ts';

/** One statement for all rooms of a node, in the order in which the log takes them (log.ts). */
const RENEW = `
  WITH held AS MATERIALIZED (
    SELECT workflow_id FROM realtime_room_leases JOIN unnest($1::uuid[], $2::bigint[]) AS ours (workflow_id, epoch)
      USING (workflow_id, epoch)
    ORDER BY workflow_id FOR NO KEY UPDATE OF realtime_room_leases
  )
  UPDATE realtime_room_leases l SET expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
  FROM held WHERE l.workflow_id = held.workflow_id
  RETURNING l.workflow_id AS "workflowId"`;

/** @returns the rooms whose lease is not theirs any more */
export async function renewLeases(sql: Sql, rooms: readonly LiveRoom[]): Promise<readonly LiveRoom[]> {
  const rows = await sql.query<{ workflowId: string }>(RENEW, [
    rooms.map((room) => room.workflowId),
    rooms.map((room) => room.epoch),
  ]);
  const renewed = new Set(rows.map((row) => row.workflowId));
  return rooms.filter((room) => !renewed.has(room.workflowId));
}

/** Lets the next owner in at once. The row stays, so that its epochs go on rising. */
export async function releaseLease(sql: Sql, key: RoomKey, epoch: bigint): Promise<void> {
  await sql.query(
    `UPDATE realtime_room_leases SET expires_at = '-infinity' WHERE workflow_id = $1 AND epoch = $2`,
    [key.workflowId, epoch],
  );
}

export async function answerFlush(sql: Sql, workflowId: string, asked: number): Promise<void> {
  await sql.query(
    'UPDATE realtime_room_leases SET flush_done = greatest(flush_done, $2) WHERE workflow_id = $1',
    [workflowId, asked],
  );
}
