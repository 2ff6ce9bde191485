/** OpenAPI examples of retention, exports and erasures. */
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../platform/http/route.ts';

const RETENTION = {
  run_retention_days: 365,
  value_retention_days: 30,
  redacted_paths: ['customer.ssn', '**.password'],
  audit_retention_days: 730,
  workflows: [
    {
      workflow_id: IDS.workflow,
      name: 'Sort mail',
      run_retention_days: 30,
      value_retention_days: 1,
      redacted_paths: ['items.*.card'],
    },
  ],
};
const JOB = {
  id: IDS.event,
  organization_id: IDS.organization,
  kind: 'erasure',
  subject: 'metadata',
  user_id: null,
  metadata: { customer: '42' },
  status: 'completed',
  progress: { stage: null, done: 34, total: 34 },
  counts: { runs: 12 },
  bytes: 0,
  sha256: null,
  requested_by: IDS.user,
  created_at: AT,
  started_at: AT,
  completed_at: AT,
  expires_at: null,
};

export const DATA_JOB_EXAMPLES: RowExamples = {
  'GET /retention': { replies: { 200: RETENTION } },
  'PATCH /retention': {
    request: { value_retention_days: 30, redacted_paths: ['customer.ssn', '**.password'] },
    replies: { 200: RETENTION },
  },
  'GET /data-jobs': { replies: { 200: { jobs: [JOB] } } },
  'POST /data-jobs': {
    request: { kind: 'erasure', subject: 'metadata', metadata: { customer: '42' } },
    replies: {
      202: {
        ...JOB,
        status: 'pending',
        progress: { stage: 'runs', done: 0, total: 34 },
        counts: {},
        started_at: null,
        completed_at: null,
      },
    },
  },
  'POST /auth/me/data-jobs': {
    request: { kind: 'export', organization_id: IDS.organization },
    replies: {
      202: {
        ...JOB,
        kind: 'export',
        subject: 'member',
        user_id: IDS.user,
        metadata: null,
        status: 'pending',
        progress: { stage: 'runs', done: 0, total: 34 },
        counts: {},
        started_at: null,
        completed_at: null,
      },
    },
  },
  'GET /data-jobs/:job_id': { replies: { 200: JOB } },
  'GET /data-jobs/:job_id/file': {
    replies: { 200: '{"table":"workflows","row":{"name":"Sort mail"}}\n' },
  },
};
