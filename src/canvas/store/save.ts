/** A room's save: one statement that happens wholly or not at all, and finding out why it did not. */
import type { Sql } from '../../db/client.ts';
import { sqlStateOf } from '../../db/transient-error.ts';
import type { JsonObject } from '../../graph/value.ts';
import type {
  ExternalEntry,
  ExternalSource,
  ExternalState,
  RoomKey,
  SaveRequest,
  SaveResult,
} from '../room/ports.ts';
import { historyPatches } from './history-patches.ts';

/**
 * `held` takes the workflow's row if nobody else has saved since, `fence` the lease if it is still ours: in this order,
 * because deleting a workflow locks the row and then its lease. Both locks last until the commit, so a claim by
 * another node waits for the save or makes it write nothing.
 */
const SAVE = `
  WITH held AS MATERIALIZED (
    SELECT id FROM workflows WHERE id = $1 AND organization_id = $2 AND edit_version = $4 FOR NO KEY UPDATE
  ), fence AS MATERIALIZED (
    SELECT l.workflow_id FROM held JOIN realtime_room_leases l ON l.workflow_id = held.id
    WHERE l.epoch = $3 FOR SHARE OF l
  ), moved AS (
    UPDATE workflows w SET
      workflow_schema = $5::json, name = coalesce($6, name), description = coalesce($7, description),
      version = coalesce($8, version), tags = coalesce($9::text[], tags), edit_version = edit_version + 1,
      last_edited_by = $10, last_edited_at = clock_timestamp(), updated_at = clock_timestamp()
    FROM fence WHERE w.id = fence.workflow_id AND w.edit_version = $4
    RETURNING w.edit_version
  ), entry AS (
    INSERT INTO workflow_edits (id, workflow_id, user_id, edit_version, patches, contributors, source, state_hash)
    SELECT $11, $1, $10, edit_version, $12::json, $13::uuid[], 'canvas', $15 FROM moved
    ON CONFLICT (workflow_id, edit_version) DO NOTHING
  ), logged AS (
    UPDATE realtime_ops SET saved_in = moved.edit_version FROM moved
    WHERE workflow_id = $1 AND saved_in IS NULL AND (epoch < $3 OR (epoch = $3 AND realtime_ops.version <= $14))
  )
  SELECT edit_version AS "editVersion" FROM moved`;

const LOOK = `
  SELECT w.edit_version AS "editVersion", w.workflow_schema AS document, l.epoch
  FROM workflows w LEFT JOIN realtime_room_leases l ON l.workflow_id = w.id
  WHERE w.id = $1 AND w.organization_id = $2`;

const ENTRIES = `
  SELECT id AS "historyId", edit_version AS "editVersion", user_id AS "userId", source FROM workflow_edits
  WHERE workflow_id = $1 AND edit_version > $2 ORDER BY edit_version`;

const EXTERNAL: readonly string[] = ['composer', 'rest', 'activation'] satisfies ExternalSource[];
const isExternal = (source: string | null): source is ExternalSource =>
  source !== null && EXTERNAL.includes(source);

interface Found {
  readonly editVersion: number;
  readonly document: JsonObject;
  readonly epoch: number | null;
}

/** Row before history: an entry that is read has its version in the row, or the next look finds it. */
async function look(sql: Sql, key: RoomKey, since: number): Promise<(Found & ExternalState) | null> {
  const [found] = await sql.query<Found>(LOOK, [key.workflowId, key.organizationId]);
  if (found === undefined) return null;
  const rows = await sql.query<Omit<ExternalEntry, 'source'> & { source: string | null }>(ENTRIES, [
    key.workflowId,
    since,
  ]);
  const entries = rows
    .filter((row) => row.editVersion <= found.editVersion)
    .map((row): ExternalEntry => ({ ...row, source: isExternal(row.source) ? row.source : 'unknown' }));
  return { ...found, entries };
}

/** The row as it is now; null when it is gone. */
export async function readExternal(sql: Sql, key: RoomKey, since: number): Promise<ExternalState | null> {
  const found = await look(sql, key, since);
  return found === null
    ? null
    : { editVersion: found.editVersion, document: found.document, entries: found.entries };
}

/** Data exceptions, violated constraints, exceeded limits: saving the same again would end the same. */
function permanentReason(error: unknown): string | null {
  const code = sqlStateOf(error);
  return /^(22|23|54)/.test(code) ? `${code}: ${String(error)}` : null;
}

/** @throws what the database says, when it is unknown whether the save has happened */
export async function saveRoom(sql: Sql, request: SaveRequest): Promise<SaveResult> {
  const { mirrors } = request;
  const params = [
    request.workflowId,
    request.organizationId,
    request.epoch,
    request.baseEditVersion,
    request.documentJson,
    mirrors.name ?? null,
    mirrors.description ?? null,
    mirrors.version ?? null,
    mirrors.tags ?? null,
    request.userId,
    request.historyId,
    JSON.stringify(historyPatches(request.patches, mirrors)),
    request.contributors,
    request.savedThrough,
    request.stateHash,
  ];
  try {
    const [saved] = await sql.query<{ editVersion: number }>(SAVE, params);
    if (saved !== undefined) return { outcome: 'saved', editVersion: saved.editVersion };
  } catch (error) {
    const reason = permanentReason(error);
    if (reason !== null) return { outcome: 'refused', reason };
    throw error;
  }
  return whyNot(sql, request);
}

/** Nothing was written: the row is gone, the lease is another's, or somebody else has saved. */
async function whyNot(sql: Sql, request: SaveRequest): Promise<SaveResult> {
  const found = await look(sql, request, request.baseEditVersion);
  if (found === null) return { outcome: 'row-gone' };
  if (found.epoch === null || BigInt(found.epoch) !== request.epoch) return { outcome: 'lease-lost' };
  const { editVersion, document, entries } = found;
  if (editVersion === request.baseEditVersion)
    throw new Error('the save wrote nothing, and nothing stands in its way');
  return { outcome: 'external', editVersion, document, entries };
}
