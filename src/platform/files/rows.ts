/** The rows of files: what is stored of them beside their bytes, who refers to them, and what is due to be deleted. */
import type { Db, Sql, Tx } from '../../base/db/client.ts';
import { composePage, type PageRead } from '../../base/db/keyset.ts';
import type { FileReference } from '../../language/graph/values/file-reference.ts';
import type { Envelope } from '../credentials/vault/envelope.ts';

export interface FileRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly due_at: Date | null;
  readonly created_by: string | null;
  readonly created_at: Date;
}

/** A file with its sealed key. */
export interface SealedFileRow extends FileRow {
  readonly key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
}

const COLUMNS = 'id, organization_id, name, media_type, size, sha256, due_at, created_by, created_at';

interface FileId {
  readonly organizationId: string;
  readonly fileId: string;
}

/** The reference to a file as it stands in values. */
export const toReference = (row: FileRow): FileReference => ({
  $file: row.id,
  name: row.name,
  media_type: row.media_type,
  size: row.size,
  sha256: row.sha256,
});

/** @returns null without such a file in the organization */
export async function findFile(sql: Sql, { organizationId, fileId }: FileId): Promise<SealedFileRow | null> {
  const [row] = await sql.query<SealedFileRow>(
    `SELECT ${COLUMNS}, key_id, wrapped_key, ciphertext FROM files WHERE organization_id = $1 AND id = $2`,
    [organizationId, fileId],
  );
  return row ?? null;
}

/** Lists a page of the files of an organization, newest first. */
export function listFiles(sql: Sql, organizationId: string, page: PageRead): Promise<FileRow[]> {
  const params: unknown[] = [organizationId];
  const { condition, tail } = composePage(params, page, ['created_at', 'id']);
  return sql.query<FileRow>(
    `SELECT ${COLUMNS} FROM files WHERE organization_id = $1 AND ${condition} ${tail}`,
    params,
  );
}

/** Deletes a row; its bytes follow with the next sweep. @returns false without such a file in the organization */
export async function deleteFileRow(sql: Sql, { organizationId, fileId }: FileId): Promise<boolean> {
  const rows = await sql.query('DELETE FROM files WHERE organization_id = $1 AND id = $2 RETURNING 1', [
    organizationId,
    fileId,
  ]);
  return rows.length > 0;
}

/** Bytes that each file counts at least: an empty one has a row and a name. */
export const LEAST_COUNTED = 1_024;

/** Reads how many bytes the files of an organization have. */
export async function readUsage(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    'SELECT bytes FROM file_usage WHERE organization_id = $1',
    [organizationId],
  );
  return row?.bytes ?? 0;
}

/** Notes that bytes are being stored. Without a row of their file they are deleted after two hours, which no request lasts. */
export async function noteStray(sql: Sql, fileId: string): Promise<void> {
  await sql.query(`INSERT INTO stray_files (file_id, due_at) VALUES ($1, now() + interval '2 hours')`, [
    fileId,
  ]);
}

/** Forgets bytes that were deleted. */
export async function forgetStray(sql: Sql, fileId: string): Promise<void> {
  await sql.query('DELETE FROM stray_files WHERE file_id = $1', [fileId]);
}

// Bytes that are being deleted get no row: whoever deletes them holds theirs.
const INSERT_FILE = `
  WITH kept AS (
    DELETE FROM stray_files WHERE file_id = $1 RETURNING file_id
  ), counted AS (
    INSERT INTO file_usage (organization_id, bytes)
    SELECT $2, greatest($5::bigint, ${LEAST_COUNTED}) FROM kept WHERE $11::bigint IS NULL OR greatest($5::bigint, ${LEAST_COUNTED}) <= $11
    ON CONFLICT (organization_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes
      WHERE $11::bigint IS NULL OR file_usage.bytes + excluded.bytes <= $11
    RETURNING bytes
  )
  INSERT INTO files (id, organization_id, name, media_type, size, sha256, due_at, created_by, key_id, wrapped_key, ciphertext)
  SELECT $1, $2, $3, $4, $5, $6, now() + interval '7 days', $7, $8, $9, $10 FROM counted
  RETURNING ${COLUMNS}`;

/**
 * Inserts the row of a file whose bytes are stored. It is due a week later, unless a run refers to it.
 * @param maxBytes of all files of the organization; null: unlimited
 * @returns null when the files of the organization would have more; the caller must roll back
 */
export async function insertFile(
  tx: Tx,
  row: Omit<FileRow, 'due_at' | 'created_at'>,
  { sealed, maxBytes }: { readonly sealed: Envelope; readonly maxBytes: number | null },
): Promise<FileRow | null> {
  const { keyId, wrappedKey, ciphertext } = sealed;
  const [inserted] = await tx.query<FileRow>(INSERT_FILE, [
    row.id,
    row.organization_id,
    row.name,
    row.media_type,
    row.size,
    row.sha256,
    row.created_by,
    keyId,
    wrappedKey,
    ciphertext,
    maxBytes,
  ]);
  return inserted ?? null;
}

/** Notes that a run refers to a file, so that it lives as long as the values of the run. */
export async function insertReference(
  tx: Tx,
  { organizationId, runPk, fileId }: FileId & { readonly runPk: string },
): Promise<void> {
  await tx.query('INSERT INTO file_references (run_pk, file_id, organization_id) VALUES ($1, $2, $3)', [
    runPk,
    fileId,
    organizationId,
  ]);
}

/** Moments are stored in milliseconds, which may round them into the future: what was deleted just now is due now. */
const IS_DUE = `due_at < now() + interval '1 millisecond'`;
/** Rows of one transaction. */
const BATCH = 100;

/** Deletes the rows of files that are due. @returns how many */
export async function deleteDueRows(sql: Sql): Promise<number> {
  for (let total = 0; ;) {
    const rows = await sql.query(
      `DELETE FROM files WHERE id = ANY (ARRAY (
         SELECT id FROM files WHERE ${IS_DUE} ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    );
    total += rows.length;
    if (rows.length < BATCH) return total;
  }
}

/**
 * Deletes bytes that no row names, and then what notes them: a process that is killed in between leaves them to the next sweep.
 * @param remove deletes the bytes of a file
 * @returns how many
 */
export async function deleteStrays(
  db: Pick<Db, 'transaction'>,
  remove: (fileId: string) => Promise<void>,
): Promise<number> {
  for (let total = 0; ;) {
    const count = await db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }>(
        `SELECT file_id AS id FROM stray_files WHERE ${IS_DUE} ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      );
      const ids = rows.map(({ id }) => id);
      for (const id of ids) await remove(id);
      await tx.query('DELETE FROM stray_files WHERE file_id = ANY ($1::uuid[])', [ids]);
      return ids.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}
