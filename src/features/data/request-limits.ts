/** Bounds what members request: an export reads all runs of an organization, and no plan counts it. */
import type { Tx } from '../../base/db/client.ts';
import { conflict, rateLimited } from '../../base/errors.ts';
import type { DataJob } from './jobs.ts';

/** Exports of one subject in 24 hours. A guess: one, one that is repeated, one more. */
const SUBJECT_EXPORTS_A_DAY = 3;
/** Exports of an organization in 24 hours, without those that its members request of themselves. A guess. */
const ORGANIZATION_EXPORTS_A_DAY = 20;

type NewJob = Pick<DataJob, 'organization_id' | 'kind' | 'subject' | 'requested_by'>;

/**
 * Checks a new job against the open ones, and an export against those of the day. Concurrent requests are checked one after the other.
 * @throws ApiError 409 while a job of this kind and subject is open; 429 for too many exports
 */
export async function requireJobLimits(tx: Tx, { organization_id: id, kind, ...job }: NewJob): Promise<void> {
  const subject = JSON.stringify(job.subject);
  const isOwn = job.subject.type === 'member' && job.subject.user_id === job.requested_by;
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('data-jobs:' || $1, 0))`, [id]);
  const open = await tx.query(
    `SELECT 1 FROM data_jobs WHERE organization_id = $1 AND kind = $2 AND subject = $3::jsonb AND status IN ('pending', 'running')`,
    [id, kind, subject],
  );
  if (open.length > 0)
    throw conflict(
      'data_job_open',
      `The same ${kind} was requested before and has not ended yet. Wait for it`,
    );
  if (kind === 'erasure') return;
  const [day] = await tx.query<{ same: number; others: number; wait: number }>(
    `SELECT (count(*) FILTER (WHERE subject = $2::jsonb))::int AS same,
            (count(*) FILTER (WHERE subject ->> 'user_id' IS DISTINCT FROM requested_by::text))::int AS others,
            coalesce(ceil(extract(epoch FROM min(created_at) + interval '24 hours' - now())), 0)::int AS wait
     FROM data_jobs
     WHERE organization_id = $1 AND kind = 'export' AND requested_by IS NOT NULL AND created_at > now() - interval '24 hours'
       AND (NOT $3::boolean OR subject = $2::jsonb)`,
    [id, subject, isOwn],
  );
  const refuse = (limit: number, text: string): never => {
    const headers = { 'Retry-After': String(Math.max(1, day?.wait ?? 1)) };
    throw rateLimited('export_limit_reached', `${text}: at most ${limit} in 24 hours`, headers);
  };
  if ((day?.same ?? 0) >= SUBJECT_EXPORTS_A_DAY)
    refuse(SUBJECT_EXPORTS_A_DAY, 'Too many exports of the same data');
  if (!isOwn && (day?.others ?? 0) >= ORGANIZATION_EXPORTS_A_DAY)
    refuse(ORGANIZATION_EXPORTS_A_DAY, 'Too many exports of the organization');
}
