/** The operator's commands about keeping and deleting: retention, exports and erasures. */
import { closeSync, createWriteStream, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { CommandRefused, readDays, UsageError, type Command } from './admin-command.ts';
import {
  insertJob,
  listJobs,
  readJob,
  readParts,
  type DataJob,
  type DataSubject,
} from '../features/data/jobs.ts';
import { closeOrganization } from '../features/data/request-job.ts';
import { takeStep } from '../features/data/job-runner.ts';
import { presentJob } from '../features/data/present-job.ts';
import {
  changeRetention,
  MIN_AUDIT_DAYS,
  presentRetention,
  type RetentionKey,
} from '../features/data/retention.ts';
import type { Db } from '../base/db/client.ts';
import { JobProgress } from './job-progress.ts';
import { findPathProblem, MAX_REDACTED_PATHS } from '../language/graph/redaction/redaction.ts';
import { isUuid } from '../base/uuid.ts';

/** Reads paths separated by commas; `off` names none. @returns null without the option */
function readPaths(given: string | undefined): string[] | null {
  if (given === undefined) return null;
  if (given === 'off') return [];
  const paths = [...new Set(given.split(','))];
  if (paths.length > MAX_REDACTED_PATHS)
    throw new UsageError(`--redact: at most ${MAX_REDACTED_PATHS} paths are possible`);
  for (const path of paths) {
    const problem = findPathProblem(path);
    if (problem !== null) throw new UsageError(`--redact ${path}: ${problem}`);
  }
  return paths;
}

/** Finds the organization or workflow whose retention changes; null when there is no workflow with the id. */
async function findKey(db: Db, id: string, isWorkflow: boolean): Promise<RetentionKey | null> {
  if (!isUuid(id)) return null;
  if (!isWorkflow) return { organizationId: id, workflowId: null };
  const workflow = await db.prisma.workflow.findUnique({ where: { id }, select: { organizationId: true } });
  return workflow === null ? null : { ...workflow, workflowId: id };
}

export const retentionSet: Command = {
  summary:
    'Set how long runs and their values are kept, and which values are redacted, for an organization or one of its workflows',
  usage:
    'retention:set <org_id | --workflow WORKFLOW_ID> [--runs DAYS|off] [--values DAYS|off] [--redact PATHS|off]\n' +
    '         [--audit DAYS|off] [--json]\n' +
    '         DAYS: after the end of a run; PATHS: separated by commas, such as customer.ssn,**.password,items.*.card;\n' +
    '         --audit: days that entries of the audit log are kept from now on, 90 at least, of an organization',
  async run(args, _config, db) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        workflow: { type: 'string' },
        runs: { type: 'string' },
        values: { type: 'string' },
        redact: { type: 'string' },
        audit: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [organizationId] = positionals;
    const id = values.workflow ?? organizationId;
    if (
      id === undefined ||
      positionals.length > 1 ||
      (values.workflow !== undefined && positionals.length > 0)
    )
      throw new UsageError('one org_id, or --workflow, is needed');
    const runs = readDays('runs', values.runs);
    const kept = readDays('values', values.values);
    const paths = readPaths(values.redact);
    const audit = readDays('audit', values.audit, MIN_AUDIT_DAYS);
    if (runs === null && kept === null && paths === null && audit === null)
      throw new UsageError('--runs, --values, --redact or --audit is needed');
    if (audit !== null && values.workflow !== undefined)
      throw new UsageError('--audit is of an organization');
    const isWorkflow = values.workflow !== undefined;
    const key = await findKey(db, id, isWorkflow);
    const settings =
      key === null
        ? null
        : await changeRetention(db, key, {
            runRetentionDays: runs?.days,
            valueRetentionDays: kept?.days,
            redactedPaths: paths ?? undefined,
            auditRetentionDays: audit?.days,
          });
    if (key === null || settings === null)
      throw new CommandRefused(`there is no ${isWorkflow ? 'workflow' : 'organization'} ${id}`);
    const row = {
      organization_id: key.organizationId,
      workflow_id: key.workflowId,
      ...presentRetention(settings),
      audit_retention_days: settings.auditRetentionDays,
    };
    const describe = (days: number | null): string => (days === null ? 'off' : `${days} days`);
    console.log(
      values.json
        ? JSON.stringify(row)
        : `runs ${describe(row.run_retention_days)}, values ${describe(row.value_retention_days)}, ` +
            `redacted paths ${row.redacted_paths.join(',') || 'none'}, audit log ${describe(row.audit_retention_days)}`,
    );
  },
};

/** Takes the steps of jobs here, tells of them on standard error, and prints their receipts: a worker that is running may take some of them. */
async function finish(db: Db, jobs: readonly DataJob[], isJson: boolean): Promise<DataJob[]> {
  const done: DataJob[] = [];
  for (const { id } of jobs) {
    const progress = new JobProgress(systemClock, (line) => console.error(line));
    while (await takeStep(db, id)) await progress.note(() => readJob(db, id));
    const job = await readJob(db, id);
    if (job !== null) done.push(job);
  }
  for (const job of done) print(job, isJson);
  return done;
}

function print(job: DataJob, isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify(presentJob(job)));
    return;
  }
  const counts = Object.entries(job.counts).map(([table, count]) => `${table} ${count}`);
  console.log(`${job.id}  ${job.kind} of ${job.subject.type}: ${job.status}  ${counts.join(', ')}`);
}

const SUBJECT_OPTIONS = {
  user: { type: 'string' },
  metadata: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const;

interface SubjectValues {
  readonly user?: string | undefined;
  readonly metadata?: readonly string[] | undefined;
}

/** Reads what a job is about: the whole organization without options. */
async function readSubject(db: Db, { user, metadata }: SubjectValues): Promise<DataSubject> {
  if (user !== undefined && metadata !== undefined)
    throw new UsageError('--user and --metadata exclude each other');
  if (metadata !== undefined) {
    const pairs = metadata.map((pair): [string, string] => {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw new UsageError(`--metadata ${pair}: KEY=VALUE is needed`);
      return [key, value];
    });
    return { type: 'metadata', metadata: Object.fromEntries(pairs) };
  }
  if (user === undefined) return { type: 'organization' };
  const found = await db.query<{ id: string }>(
    'SELECT id FROM users WHERE id::text = lower($1) OR lower(email) = lower($1) LIMIT 2',
    [user],
  );
  const [person] = found;
  if (person === undefined || found.length > 1)
    throw new CommandRefused(`there is ${found.length === 0 ? 'no' : 'more than one'} user ${user}`);
  return { type: 'member', user_id: person.id };
}

/**
 * Finds the organization that a command names.
 * @throws UsageError for a further argument: `data:erase ORG ada@example.com` is about a person, and must not erase the organization
 */
async function requireOrganization(db: Db, [organizationId, ...others]: readonly string[]): Promise<string> {
  if (organizationId === undefined || others.length > 0) throw new UsageError('one org_id is needed');
  const rows = isUuid(organizationId)
    ? await db.query('SELECT 1 FROM organizations WHERE id = $1', [organizationId])
    : [];
  if (rows.length === 0) throw new CommandRefused(`there is no organization ${organizationId}`);
  return organizationId;
}

export const dataExport: Command = {
  summary:
    'Export an organization, a member, or the runs with some metadata as JSON Lines, compressed by gzip',
  usage:
    'data:export <org_id> [--user EMAIL|USER_ID | --metadata KEY=VALUE...] --out FILE [--json]   (FILE as .jsonl.gz)',
  async run(args, _config, db) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...SUBJECT_OPTIONS, out: { type: 'string' } },
    });
    if (values.out === undefined) throw new UsageError('--out is needed');
    const organizationId = await requireOrganization(db, positionals);
    const subject = await readSubject(db, values);
    // An export that cannot be stored is not worth making.
    const file = openSync(values.out, 'w', 0o600);
    const job = await db.transaction((tx) =>
      insertJob(tx, { organization_id: organizationId, kind: 'export', subject, requested_by: null }),
    );
    const [done] = await finish(db, [job], values.json);
    if (done === undefined) return closeSync(file);
    await pipeline(Readable.from(readParts(db, done)), createWriteStream(values.out, { fd: file }));
    if (!values.json)
      console.log(
        `${values.out}: ${done.bytes} bytes of JSON Lines, SHA-256 ${done.content_digest} (gunzip -c ${values.out} | sha256sum)`,
      );
  },
};

export const dataErase: Command = {
  summary:
    'Erase an organization, a member, or the runs with some metadata: for good, and also when the command is interrupted',
  usage:
    'data:erase <org_id> --yes [--user EMAIL|USER_ID [--with-account] | --metadata KEY=VALUE...] [--json]\n' +
    '         --with-account: also the account, when the person is a member of no other organization',
  async run(args, _config, db) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...SUBJECT_OPTIONS,
        yes: { type: 'boolean', default: false },
        'with-account': { type: 'boolean', default: false },
      },
    });
    if (!values.yes) throw new UsageError('--yes is needed: an erasure cannot be undone');
    const organizationId = await requireOrganization(db, positionals);
    const chosen = await readSubject(db, values);
    if (values['with-account'] && chosen.type !== 'member')
      throw new UsageError('--with-account needs --user');
    const subject: DataSubject =
      chosen.type === 'member' && values['with-account'] ? { ...chosen, with_account: true } : chosen;
    const job = await db.transaction(async (tx) => {
      if (subject.type === 'organization') await closeOrganization(tx, organizationId);
      return insertJob(tx, { organization_id: organizationId, kind: 'erasure', subject, requested_by: null });
    });
    await finish(db, [job], values.json);
  },
};

export const dataJobs: Command = {
  summary: 'List the exports and erasures of an organization, with their receipts, newest first',
  usage: 'data:jobs <org_id> [--json]',
  async run(args, _config, db) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [organizationId, ...others] = positionals;
    // An organization that was erased is still found here, by its receipt.
    if (organizationId === undefined || !isUuid(organizationId) || others.length > 0)
      throw new UsageError('one org_id is needed');
    for (const job of await listJobs(db, organizationId, 100)) print(job, values.json);
  },
};
