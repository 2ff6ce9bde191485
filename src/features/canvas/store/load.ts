/** Loads a room: claims its lease, then reads the workflow and its log. After the claim no earlier owner can write. */
import type { Sql } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { LoadResult, RememberedOp, RoomKey, WalRow } from '../room/ports.ts';
import type { NodeIdentity } from './node.ts';

/** Life of a lease without renewal, by the database's clock. */
export const LEASE_SECONDS = 15;
/** Saved operations are kept this long, to detect duplicates. */
export const RETENTION = `interval '1 hour'`;
const MAX_REMEMBERED = 4_096;

/**
 * Finds the row by (id, organization), so a missing workflow and one of another organization look the same. A live lease of
 * another node is not claimed; one that this node had before a restart is.
 */
const CLAIM = `
  WITH workflow AS (SELECT id FROM workflows WHERE id = $1 AND organization_id = $2),
  claimed AS (
    INSERT INTO realtime_room_leases AS l (workflow_id, node_id, node_url, expires_at)
    SELECT id, $3, $4, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) FROM workflow
    ON CONFLICT (workflow_id) DO UPDATE SET
      node_id = EXCLUDED.node_id, node_url = EXCLUDED.node_url, expires_at = EXCLUDED.expires_at, epoch = l.epoch + 1
    WHERE l.expires_at < clock_timestamp() OR l.node_id = EXCLUDED.node_id
    RETURNING epoch
  )
  SELECT (SELECT epoch FROM claimed) AS epoch,
         (SELECT node_url FROM realtime_room_leases WHERE workflow_id = $1) AS "ownerUrl"
  FROM workflow`;

const READ_ROW = `
  SELECT edit_version AS "editVersion", workflow_schema AS document FROM workflows
  WHERE id = $1 AND organization_id = $2`;

const READ_UNSAVED = `
  SELECT epoch, version, op_id AS "opId", user_id AS "userId", op, content_hash AS "contentHash",
         base_edit_version AS "baseEditVersion"
  FROM realtime_ops WHERE workflow_id = $1 AND saved_in IS NULL ORDER BY epoch, version`;

const READ_SAVED = `
  SELECT op_id AS "opId", content_hash AS "contentHash", version, saved_in AS "savedIn" FROM realtime_ops
  WHERE workflow_id = $1 AND saved_in IS NOT NULL AND created_at > now() - ${RETENTION}
  ORDER BY epoch DESC, version DESC LIMIT ${MAX_REMEMBERED}`;

interface LoggedRow extends Omit<WalRow, keyof RoomKey | 'epoch' | 'savedIn'> {
  readonly epoch: number;
}

/** Loads a room. @throws the database's error; then the lease may have been claimed, and claiming it again is safe */
export async function loadRoom(sql: Sql, key: RoomKey, node: NodeIdentity): Promise<LoadResult> {
  const { workflowId, organizationId } = key;
  const [claim] = await sql.query<{ epoch: number | null; ownerUrl: string | null }>(CLAIM, [
    workflowId,
    organizationId,
    node.nodeId,
    node.url,
  ]);
  if (claim === undefined) return { outcome: 'not-found' };
  if (claim.epoch === null) return { outcome: 'owned-elsewhere', url: claim.ownerUrl };
  const [rows, unsaved, remembered] = await Promise.all([
    sql.query<{ editVersion: number; document: JsonObject }>(READ_ROW, [workflowId, organizationId]),
    sql.query<LoggedRow>(READ_UNSAVED, [workflowId]),
    sql.query<RememberedOp>(READ_SAVED, [workflowId]),
  ]);
  const [row] = rows;
  if (row === undefined) return { outcome: 'not-found' };
  return {
    outcome: 'loaded',
    epoch: BigInt(claim.epoch),
    editVersion: row.editVersion,
    document: row.document,
    unsaved: unsaved.map((logged): WalRow => ({
      ...key,
      ...logged,
      epoch: BigInt(logged.epoch),
      savedIn: null,
    })),
    remembered,
  };
}
