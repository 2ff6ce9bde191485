/** Wire shapes of retention, exports and erasures. */
import { z } from 'zod';
import {
  findPathProblem,
  MAX_REDACTED_PATH_LENGTH,
  MAX_REDACTED_PATHS,
  REDACTED_PATH_PATTERN,
} from '../../language/graph/redaction/redaction.ts';
import { moment, uuid } from '../../platform/http/wire.ts';
import { MIN_AUDIT_DAYS } from './retention.ts';

/** Refuses paths that cannot be used, each by its index. */
const redactedPaths = z
  .array(
    // Described only: what is wrong with a path is told in words below.
    z.string().max(MAX_REDACTED_PATH_LENGTH).meta({ minLength: 1, pattern: REDACTED_PATH_PATTERN }),
  )
  .max(MAX_REDACTED_PATHS)
  .superRefine((paths, ctx) => {
    for (const [index, path] of paths.entries()) {
      const problem = findPathProblem(path);
      if (problem !== null) ctx.addIssue({ code: 'custom', message: problem, path: [index] });
    }
  });
const MAX_DAYS = 3_650;
const days = z.int().min(1).max(MAX_DAYS).nullable();

/** Only supplied fields change. */
export const retentionChange = z
  .object({
    workflow_id: uuid.optional(),
    run_retention_days: days.optional(),
    value_retention_days: days.optional(),
    redacted_paths: redactedPaths.optional(),
    audit_retention_days: z.int().min(MIN_AUDIT_DAYS).max(MAX_DAYS).nullable().optional(),
  })
  .meta({ id: 'RetentionChange' });
export type RetentionChange = z.output<typeof retentionChange>;

const kept = {
  run_retention_days: days,
  value_retention_days: days,
  redacted_paths: z.array(z.string()),
};
export const retention = z
  .looseObject({
    ...kept,
    audit_retention_days: days,
    workflows: z.array(
      z.looseObject({ workflow_id: uuid, name: z.string(), ...kept }).meta({ id: 'WorkflowRetention' }),
    ),
  })
  .meta({ id: 'Retention' });

const kind = z.enum(['export', 'erasure']);
const subject = z.enum(['organization', 'member', 'metadata']);
const metadata = z.record(z.string().min(1).max(40), z.string().max(500));

export const newDataJob = z
  .object({
    kind,
    subject,
    user_id: uuid.optional(),
    metadata: metadata.optional(),
    confirm: z.string().max(255).optional(),
  })
  .meta({ id: 'CreateDataJob' });
export type NewDataJob = z.output<typeof newDataJob>;

/** An export or erasure of the caller; `confirm` is the caller's email address. */
export const ownDataJob = z
  .object({ kind, organization_id: uuid, confirm: z.string().max(320).optional() })
  .meta({ id: 'CreateOwnDataJob' });
export type OwnDataJob = z.output<typeof ownDataJob>;

export const dataJob = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    kind,
    subject,
    user_id: uuid.nullable(),
    metadata: metadata.nullable(),
    status: z.enum(['pending', 'running', 'completed', 'cancelled']),
    progress: z
      .looseObject({ stage: z.string().nullable(), done: z.int(), total: z.int() })
      .meta({ id: 'DataJobProgress' }),
    counts: z.record(z.string(), z.int()),
    bytes: z.int(),
    sha256: z.string().nullable(),
    requested_by: uuid.nullable(),
    created_at: moment,
    started_at: moment.nullable(),
    completed_at: moment.nullable(),
    expires_at: moment.nullable(),
  })
  .meta({ id: 'DataJob' });
export const dataJobList = z.looseObject({ jobs: z.array(dataJob) }).meta({ id: 'DataJobList' });
