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
import {
  completedAt,
  createdAt,
  displayName,
  owningOrganizationId,
  startedAt,
  uniqueId,
  workflowId,
} from '../../platform/http/fields.ts';

const ABOUT_RUN_RETENTION_DAYS =
  'Days after their end that runs are kept, 1 to 3,650; null: for good. Shorter deletes older runs within minutes';
const ABOUT_VALUE_RETENTION_DAYS =
  'Days after their end that inputs, outputs, state, messages and events of runs are kept, 1 to 3,650; null: as long as the runs';
const ABOUT_REDACTED_PATHS =
  'Paths whose values new runs replace by `[redacted]` before anything is stored: names separated by dots, `*` for one level, `**` for any depth, such as `customer.ssn`, `**.password` or `items.*.card`; at most 50';
const ABOUT_AUDIT_RETENTION_DAYS =
  'Days that new entries of the audit log are kept, 90 to 3,650, set by owners alone; null: for good';
const ABOUT_SUBJECT = 'What the job is about: the organization, a member, or the runs with some metadata';

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
    workflow_id: uuid.optional().meta({ description: 'The workflow to change; absent: the organization' }),
    run_retention_days: days.optional().meta({ description: ABOUT_RUN_RETENTION_DAYS }),
    value_retention_days: days.optional().meta({ description: ABOUT_VALUE_RETENTION_DAYS }),
    redacted_paths: redactedPaths.optional().meta({ description: ABOUT_REDACTED_PATHS }),
    audit_retention_days: z
      .int()
      .min(MIN_AUDIT_DAYS)
      .max(MAX_DAYS)
      .nullable()
      .optional()
      .meta({ description: ABOUT_AUDIT_RETENTION_DAYS }),
  })
  .meta({ id: 'RetentionChange' });
export type RetentionChange = z.output<typeof retentionChange>;

const kept = {
  run_retention_days: days.meta({ description: ABOUT_RUN_RETENTION_DAYS }),
  value_retention_days: days.meta({ description: ABOUT_VALUE_RETENTION_DAYS }),
  redacted_paths: z.array(z.string()).meta({ description: ABOUT_REDACTED_PATHS }),
};
export const retention = z
  .looseObject({
    ...kept,
    audit_retention_days: days.meta({ description: ABOUT_AUDIT_RETENTION_DAYS }),
    workflows: z
      .array(
        z
          .looseObject({ workflow_id: workflowId, name: displayName, ...kept })
          .meta({ id: 'WorkflowRetention' }),
      )
      .meta({
        description:
          'The workflows with settings of their own: their days replace those of the organization, their paths are added',
      }),
  })
  .meta({ id: 'Retention' });

const kind = z.enum(['export', 'erasure']);
const subject = z.enum(['organization', 'member', 'metadata']);
const metadata = z.record(z.string().min(1).max(40), z.string().max(500));

export const newDataJob = z
  .object({
    kind: kind.meta({ description: '`export` writes a file; `erasure` deletes for good' }),
    subject: subject.meta({ description: ABOUT_SUBJECT }),
    user_id: uuid.optional().meta({ description: 'The member; needed for the subject `member`' }),
    metadata: metadata
      .optional()
      .meta({ description: 'Pairs that the metadata of a run includes; needed for the subject `metadata`' }),
    confirm: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Name of the organization; needed to erase the organization' }),
  })
  .meta({ id: 'CreateDataJob' });
export type NewDataJob = z.output<typeof newDataJob>;

/** An export or erasure of the caller; `confirm` is the caller's email address. */
export const ownDataJob = z
  .object({
    kind: kind.meta({ description: '`export` writes a file; `erasure` deletes for good' }),
    organization_id: uuid.meta({ description: 'The organization that stores the data' }),
    confirm: z.string().max(320).optional().meta({ description: 'For an erasure: your email address' }),
  })
  .meta({ id: 'CreateOwnDataJob' });
export type OwnDataJob = z.output<typeof ownDataJob>;

export const dataJob = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    kind: kind.meta({ description: '`export` or `erasure`' }),
    subject: subject.meta({ description: ABOUT_SUBJECT }),
    user_id: uuid.nullable().meta({ description: 'The member; null for other subjects' }),
    metadata: metadata
      .nullable()
      .meta({ description: 'Pairs that the metadata of a run includes; null for other subjects' }),
    status: z.enum(['pending', 'running', 'completed', 'cancelled']).meta({ description: 'Current status' }),
    progress: z
      .looseObject({
        stage: z.string().nullable().meta({ description: 'The table that it is at; null: it is completed' }),
        done: z.int().meta({ description: 'Completed stages' }),
        total: z.int().meta({ description: 'All stages' }),
      })
      .meta({ id: 'DataJobProgress' })
      .meta({ description: 'How far the job is' }),
    counts: z
      .record(z.string(), z.int())
      .meta({ description: 'Rows by table that were exported, deleted or changed' }),
    bytes: z
      .int()
      .meta({ description: 'Size of the JSON Lines that are handed out, in bytes; 0 for an erasure' }),
    sha256: z.string().nullable().meta({
      description:
        'SHA-256 of the JSON Lines that are handed out, in hexadecimal digits, as sha256sum shows it; null until they are complete, and for an erasure',
    }),
    requested_by: uuid.nullable().meta({ description: 'The user who asked for it; null: the operator' }),
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    expires_at: moment.nullable().meta({ description: 'When the file is deleted; null: there is none' }),
  })
  .meta({ id: 'DataJob' });
export const dataJobList = z
  .looseObject({ jobs: z.array(dataJob).meta({ description: 'The jobs, newest first' }) })
  .meta({ id: 'DataJobList' });
