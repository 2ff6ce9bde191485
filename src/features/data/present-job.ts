/** A job as clients see it: its progress, and in the end its receipt. */
import type { DataJob } from './jobs.ts';
import { listStages } from './stages.ts';

/** Presents a job. */
export function presentJob(job: DataJob) {
  const { subject } = job;
  const stages = listStages(job);
  return {
    id: job.id,
    organization_id: job.organization_id,
    kind: job.kind,
    subject: subject.type,
    user_id: subject.type === 'member' ? subject.user_id : null,
    metadata: subject.type === 'metadata' ? subject.metadata : null,
    status: job.status,
    progress: {
      stage: job.status === 'completed' ? null : (stages[job.stage]?.name ?? null),
      done: Math.min(job.stage, stages.length),
      total: stages.length,
    },
    counts: job.counts,
    bytes: job.bytes,
    sha256: job.content_digest,
    requested_by: job.requested_by,
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    completed_at: job.completed_at?.toISOString() ?? null,
    expires_at: job.expires_at?.toISOString() ?? null,
  };
}
