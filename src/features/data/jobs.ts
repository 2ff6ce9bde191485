/** The rows of data jobs: creation, progress, and the pieces of an export. */
import type { Sql } from '../../base/db/client.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { insertEntry } from '../../platform/outbox/outbox.ts';

/** The subject of a job. */
export type DataSubject =
  | { readonly type: 'organization' }
  | {
      readonly type: 'member';
      readonly user_id: string;
      /** Asked for by the operator: the account goes, too, once the person is a member nowhere. */
      readonly with_account?: boolean;
    }
  | { readonly type: 'metadata'; readonly metadata: Readonly<Record<string, string>> };

type DataJobKind = 'export' | 'erasure';

export interface DataJob {
  readonly id: string;
  readonly organization_id: string;
  readonly kind: DataJobKind;
  readonly subject: DataSubject;
  readonly status: 'pending' | 'running' | 'completed' | 'cancelled';
  /** The stage at which it goes on. */
  readonly stage: number;
  readonly cursor: Json;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  readonly parts: number;
  /** Bytes of the JSON Lines of an export. */
  readonly bytes: number;
  /** SHA-256 of these JSON Lines, in hexadecimal digits; null for an export that a former release has completed. */
  readonly content_digest: string | null;
  readonly requested_by: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  /** When the file of an export is deleted. */
  readonly expires_at: Date | null;
}

const COLUMNS = `id, organization_id, kind, subject, status, stage, cursor, counts, parts, bytes, content_digest, requested_by, created_at,
  started_at, completed_at, expires_at`;

/** The file of an export is kept for this long. */
const EXPORT_DAYS = 7;

/** Adds a job and its outbox entry. Call it in the transaction of the request. */
export async function insertJob(
  sql: Sql,
  job: Pick<DataJob, 'organization_id' | 'kind' | 'subject' | 'requested_by'>,
): Promise<DataJob> {
  const [row] = await sql.query<DataJob>(
    `INSERT INTO data_jobs (organization_id, kind, subject, requested_by) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
    [job.organization_id, job.kind, JSON.stringify(job.subject), job.requested_by],
  );
  if (row === undefined) throw new Error('the job was not stored');
  await continueJob(sql, row);
  return row;
}

/** Adds an outbox entry for the next steps of a job. */
export const continueJob = (sql: Sql, job: Pick<DataJob, 'id' | 'organization_id'>): Promise<void> =>
  insertEntry(sql, { kind: 'data_job', organizationId: job.organization_id, subjectId: job.id });

/** Reads a job; null when there is none. */
export async function readJob(sql: Sql, jobId: string): Promise<DataJob | null> {
  const [row] = await sql.query<DataJob>(`SELECT ${COLUMNS} FROM data_jobs WHERE id = $1`, [jobId]);
  return row ?? null;
}

/** Locks a job for a step; null when it has ended. */
export async function lockJob(sql: Sql, jobId: string): Promise<DataJob | null> {
  const [row] = await sql.query<DataJob>(
    `SELECT ${COLUMNS} FROM data_jobs WHERE id = $1 AND status IN ('pending', 'running') FOR UPDATE`,
    [jobId],
  );
  return row ?? null;
}

/** Lists the newest jobs of an organization. */
export function listJobs(sql: Sql, organizationId: string, limit: number): Promise<DataJob[]> {
  return sql.query<DataJob>(
    `SELECT ${COLUMNS} FROM data_jobs WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [organizationId, limit],
  );
}

/** Stores what a step has done, in its transaction. */
export async function saveProgress(
  sql: Sql,
  job: Pick<DataJob, 'id' | 'stage' | 'cursor' | 'counts' | 'parts' | 'bytes'>,
): Promise<void> {
  await sql.query(
    `UPDATE data_jobs SET status = 'running', started_at = coalesce(started_at, now()), stage = $2, cursor = $3, counts = $4,
            parts = $5, bytes = $6
     WHERE id = $1`,
    [job.id, job.stage, JSON.stringify(job.cursor), JSON.stringify(job.counts), job.parts, job.bytes],
  );
}

/** Size and hash of an export as it is handed out. */
interface FileProof {
  readonly bytes: number;
  readonly digest: string;
}

/** Completes a job. @param proof of the file of an export */
export async function completeJob(sql: Sql, job: DataJob, proof: FileProof | null): Promise<void> {
  await sql.query(
    `UPDATE data_jobs SET status = 'completed', completed_at = now(), started_at = coalesce(started_at, now()), cursor = NULL,
            content_digest = $2, bytes = coalesce($3::bigint, bytes), expires_at = CASE WHEN kind = 'export' THEN now() + make_interval(days => ${EXPORT_DAYS}) END
     WHERE id = $1`,
    [job.id, proof?.digest ?? null, proof?.bytes ?? null],
  );
}

/** Ends a job whose requester has lost the rights for it; what was exported until then is deleted. */
export async function cancelJob(sql: Sql, { id }: DataJob): Promise<void> {
  await sql.query('DELETE FROM data_job_parts WHERE job_id = $1', [id]);
  await sql.query(
    `UPDATE data_jobs SET status = 'cancelled', completed_at = now(), cursor = NULL, parts = 0 WHERE id = $1`,
    [id],
  );
}

/** Adds a piece to the file of an export. */
export async function insertPart(sql: Sql, jobId: string, part: number, content: Buffer): Promise<void> {
  await sql.query('INSERT INTO data_job_parts (job_id, part, content) VALUES ($1, $2, $3)', [
    jobId,
    part,
    content,
  ]);
}

/** Reads the pieces of a file one after the other. */
export async function* readParts(
  sql: Sql,
  { id, parts }: Pick<DataJob, 'id' | 'parts'>,
): AsyncGenerator<Buffer> {
  for (let part = 0; part < parts; part += 1) {
    const [row] = await sql.query<{ content: Buffer }>(
      'SELECT content FROM data_job_parts WHERE job_id = $1 AND part = $2',
      [id, part],
    );
    // It expired meanwhile.
    if (row === undefined) throw new Error('a piece of the export is missing');
    yield row.content;
  }
}

/** Deletes the files of exports after seven days; their receipts stay. @returns how many pieces */
export async function deleteExpiredExports(sql: Sql): Promise<number> {
  const rows = await sql.query<{ part: number }>(
    `WITH due AS (UPDATE data_jobs SET expires_at = NULL, parts = 0 WHERE expires_at < now() RETURNING id)
     DELETE FROM data_job_parts WHERE job_id IN (SELECT id FROM due) RETURNING part`,
  );
  return rows.length;
}
