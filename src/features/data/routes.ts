/** Routes about keeping and deleting: retention, exports and erasures. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { whileAllowed } from '../../platform/access/still-allowed.ts';
import { recordAction } from '../../platform/audit/audit-log.ts';
import { listJobs, readParts } from './jobs.ts';
import { presentJob } from './present-job.ts';
import { mayRead } from './rights.ts';
import { notFound } from '../../base/errors.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { refusal, uuidParams } from '../../platform/http/wire.ts';
import { dataJob, dataJobList, newDataJob, ownDataJob, retention, retentionChange } from './schema.ts';
import {
  findJob,
  readRetention,
  requestJob,
  requestOwnJob,
  updateRetention,
  type DataJobDeps,
} from './service.ts';

const route = routesFor<DataJobDeps>();
const administrative = { tag: 'data-jobs', access: 'organization', isAdministrative: true } as const;
const params = uuidParams('job_id');
/** Jobs of the list: the newest ones. */
const LISTED = 100;

export const dataJobRoutes: readonly Route<DataJobDeps>[] = [
  route({
    ...administrative,
    method: 'GET',
    path: '/retention',
    operationId: 'getRetention',
    summary:
      'Read how many days ended runs and their values are kept, and which values are redacted, also of single workflows',
    replies: { 200: retention },
    handle: async ({ deps, scope }) => ({ status: 200, body: await readRetention(deps, scope) }),
  }),
  route({
    ...administrative,
    method: 'PATCH',
    path: '/retention',
    operationId: 'updateRetention',
    summary:
      'Change how many days ended runs and their values are kept, or which values are redacted, of the organization or of one workflow',
    body: retentionChange,
    replies: { 200: retention, 404: refusal },
    async handle({ deps, scope, body }) {
      await updateRetention(deps, scope, body);
      return { status: 200, body: await readRetention(deps, scope) };
    },
  }),
  route({
    ...administrative,
    method: 'GET',
    path: '/data-jobs',
    operationId: 'listDataJobs',
    summary: 'List the 100 newest exports and erasures, with their progress and receipts',
    replies: { 200: dataJobList },
    handle: async ({ deps, scope }) => {
      const jobs = await listJobs(deps.db, scope.organizationId, LISTED);
      return { status: 200, body: { jobs: jobs.map(presentJob) } };
    },
  }),
  route({
    ...administrative,
    method: 'POST',
    path: '/data-jobs',
    operationId: 'createDataJob',
    summary: 'Export or erase the organization, a member, or the runs with some metadata',
    body: newDataJob,
    replies: { 202: dataJob, 404: refusal, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 202,
      body: presentJob(await requestJob(deps, scope, body)),
    }),
  }),
  route({
    tag: 'data-jobs',
    access: 'caller',
    method: 'POST',
    path: '/auth/me/data-jobs',
    operationId: 'createOwnDataJob',
    summary: 'Export or erase what an organization stores of you',
    body: ownDataJob,
    replies: { 202: dataJob, 404: refusal, 409: refusal },
    handle: async ({ deps, caller, body }) => ({
      status: 202,
      body: presentJob(await requestOwnJob(deps, caller, body)),
    }),
  }),
  route({
    tag: 'data-jobs',
    access: 'caller',
    method: 'GET',
    path: '/data-jobs/:job_id',
    operationId: 'getDataJob',
    summary: 'Retrieve an export or erasure; the receipt of an erasure that has ended the own access, too',
    params,
    replies: { 200: dataJob },
    handle: async ({ deps, caller, params: { job_id: jobId } }) => ({
      status: 200,
      body: presentJob(await findJob(deps, caller, jobId)),
    }),
  }),
  route({
    tag: 'data-jobs',
    access: 'caller',
    method: 'GET',
    path: '/data-jobs/:job_id/file',
    operationId: 'downloadDataJob',
    summary: 'Download an export as JSON Lines: one line with `table` and `row` for each row',
    params,
    replies: { 200: 'jsonl' },
    async handle({ deps, caller, params: { job_id: jobId } }) {
      const job = await findJob(deps, caller, jobId);
      if (job.status !== 'completed' || job.parts === 0) throw notFound('Data job');
      const object = { type: 'data_job', id: job.id, name: null };
      await recordAction(deps.db, {
        organizationId: job.organization_id,
        action: 'data_job.downloaded',
        object,
      });
      const lines = createGunzip();
      const isAllowed = () => mayRead(deps.db, job, caller.userId);
      const parts = Readable.from(whileAllowed(readParts(deps.db, job), isAllowed));
      parts.once('error', (error) => lines.destroy(error));
      return {
        status: 200,
        headers: {
          'Content-Type': 'application/jsonl; charset=utf-8',
          'Content-Disposition': `attachment; filename="export-${job.id}.jsonl"`,
          // A former release has recorded another length.
          ...(job.content_digest === null ? {} : { 'Content-Length': String(job.bytes) }),
        },
        body: parts.pipe(lines),
      };
    },
  }),
];
