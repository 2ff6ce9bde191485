/** Saves a room in one atomic statement, and finds out why it wrote nothing. */
import type { Sql } from '../../../base/db/client.ts';
import { readSqlState } from '../../../base/db/transient-error.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type {
  ExternalEntry,
  ExternalSource,
  ExternalState,
  RoomKey,
  SaveRequest,
  SaveResult,
} from '../room/ports.ts';
import { toHistoryPatches } from './history-patches.ts';

/**
 * `held` locks the workflow's row if nobody else has saved since, `fence` the lease if it is still ours: in this order, because
 * deleting a workflow locks them in it. Both locks last until the commit, so another node's claim waits for the save.
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

const READ_ROW = `
  SELECT w.edit_version AS "editVersion", w.workflow_schema AS document, l.epoch
  FROM workflows w LEFT JOIN realtime_room_leases l ON l.workflow_id = w.id
  WHERE w.id = $1 AND w.organization_id = $2`;

const READ_HISTORY = `
  SELECT id AS "historyId", edit_version AS "editVersion", user_id AS "userId", source FROM workflow_edits
  WHERE workflow_id = $1 AND edit_version > $2 ORDER BY edit_version`;

const EXTERNAL: readonly string[] = ['composer', 'rest', 'activation'] satisfies ExternalSource[];
const isExternal = (source: string | null): source is ExternalSource =>
  source !== null && EXTERNAL.includes(source);

interface StoredRow {
  readonly editVersion: number;
  readonly document: JsonObject;
  readonly epoch: number | null;
}

/** Reads the row before the history; entries newer than the row are left to the next read. */
async function readRow(sql: Sql, key: RoomKey, since: number): Promise<(StoredRow & ExternalState) | null> {
  const [found] = await sql.query<StoredRow>(READ_ROW, [key.workflowId, key.organizationId]);
  if (found === undefined) return null;
  const rows = await sql.query<Omit<ExternalEntry, 'source'> & { source: string | null }>(READ_HISTORY, [
    key.workflowId,
    since,
  ]);
  const entries = rows
    .filter((row) => row.editVersion <= found.editVersion)
    .map((row): ExternalEntry => ({ ...row, source: isExternal(row.source) ? row.source : 'unknown' }));
  return { ...found, entries };
}

/** Reads the row and the history after `since`; null when the workflow is deleted. */
export async function readExternal(sql: Sql, key: RoomKey, since: number): Promise<ExternalState | null> {
  const found = await readRow(sql, key, since);
  return found === null
    ? null
    : { editVersion: found.editVersion, document: found.document, entries: found.entries };
}

/** Describes a data exception, constraint violation or exceeded limit, which a retry would repeat; null for other errors. */
function describePermanentError(error: unknown): string | null {
  const code = readSqlState(error);
  return /^(22|23|54)/.test(code) ? `${code}: ${String(error)}` : null;
}

/** Saves a room. @throws the database's error when the save may or may not have been committed */
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
    JSON.stringify(toHistoryPatches(request.patches, mirrors)),
    request.contributors,
    request.savedThrough,
    request.stateHash,
  ];
  try {
    const [saved] = await sql.query<{ editVersion: number }>(SAVE, params);
    if (saved !== undefined) return { outcome: 'saved', editVersion: saved.editVersion };
  } catch (error) {
    const reason = describePermanentError(error);
    if (reason !== null) return { outcome: 'refused', reason };
    throw error;
  }
  return explainUnsaved(sql, request);
}

/** Finds out why nothing was written: the row is deleted, the lease is lost, or somebody else has saved. */
async function explainUnsaved(sql: Sql, request: SaveRequest): Promise<SaveResult> {
  const found = await readRow(sql, request, request.baseEditVersion);
  if (found === null) return { outcome: 'row-gone' };
  if (found.epoch === null || BigInt(found.epoch) !== request.epoch) return { outcome: 'lease-lost' };
  const { editVersion, document, entries } = found;
  if (editVersion === request.baseEditVersion)
    throw new Error('the save wrote nothing although its row and lease match');
  return { outcome: 'external', editVersion, document, entries };
}
