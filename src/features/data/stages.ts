/** The stages of a job, in their order; each is repeated until its cursor is null. */
import type { Tx } from '../../base/db/client.ts';
import type { DataJob } from './jobs.ts';
import type { PartWriter } from './part-writer.ts';
import { eraseRuns, exportRuns, type StepResult } from './run-data.ts';
import { stepPlainTables } from './plain-tables.ts';
import { STORED_TABLES, toMemberCondition, toOrganizationCondition, type StoredTable } from './tables.ts';

interface Stage {
  readonly name: string;
  readonly step: (tx: Tx, job: DataJob, writer: PartWriter) => Promise<StepResult>;
}

/** Rows of one step. */
const PAGE = 500;

/** The rows of a table that belong to the subject. */
interface Selection {
  readonly condition: string;
  readonly params: readonly unknown[];
}

async function select(
  tx: Tx,
  { subject, organization_id: id }: DataJob,
  table: StoredTable,
): Promise<Selection | null> {
  if (subject.type === 'organization') return { condition: toOrganizationCondition(table), params: [id] };
  const condition = toMemberCondition(table);
  if (subject.type === 'metadata' || condition === null) return null;
  const [person] = await tx.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    subject.user_id,
  ]);
  // Each parameter has a use, or PostgreSQL cannot tell its type.
  return {
    condition: `(${condition}) AND ($1::uuid, $2::uuid, $3::text) IS NOT NULL`,
    params: [id, subject.user_id, person?.email ?? ''],
  };
}

const NOTHING: StepResult = { cursor: null, counts: {} };

const buildExport = (table: StoredTable): Stage => ({
  name: table.name,
  async step(tx, job, writer) {
    const rows = await select(tx, job, table);
    if (rows === null) return NOTHING;
    const hidden = (table.hidden ?? []).map((column) => ` - '${column}'`).join('');
    const place = rows.params.length + 1;
    const found = await tx.query<{ row: string; key: string }>(
      `SELECT (to_jsonb(t)${hidden})::text AS row, ${table.key ?? ''} AS key FROM ${table.name} t
       WHERE ${rows.condition} AND ($${place}::text IS NULL OR ${table.key ?? ''} > $${place})
       ORDER BY ${table.key ?? ''} LIMIT ${PAGE}`,
      [...rows.params, job.cursor],
    );
    for (const { row } of found) await writer.write(table.name, row);
    return {
      cursor: found.length < PAGE ? null : (found.at(-1)?.key ?? null),
      counts: { [table.name]: found.length },
    };
  },
});

const buildErasure = (table: StoredTable): Stage => ({
  name: table.name,
  async step(tx, job) {
    const rows = await select(tx, job, table);
    if (rows === null) return NOTHING;
    const change =
      job.subject.type === 'member' && table.detachMember !== undefined
        ? `UPDATE ${table.name} SET ${table.detachMember}`
        : `DELETE FROM ${table.name}`;
    const [row] = await tx.query<{ changed: number }>(
      `WITH changed AS (
         ${change} WHERE ctid = ANY (ARRAY (SELECT t.ctid FROM ${table.name} t WHERE ${rows.condition} LIMIT ${PAGE} FOR UPDATE)) RETURNING 1)
       SELECT count(*)::int AS changed FROM changed`,
      rows.params,
    );
    const changed = row?.changed ?? 0;
    return { cursor: changed < PAGE ? null : 'more', counts: { [table.name]: changed } };
  },
});

const RUNS_TO_ERASE: Stage = { name: 'runs', step: eraseRuns };
const RUNS_TO_EXPORT: Stage = { name: 'runs', step: exportRuns };

// The users of service accounts exist for their organization alone.
const SERVICE_USERS: Stage = {
  name: 'service_accounts',
  async step(tx, { organization_id: id, subject }) {
    if (subject.type !== 'organization') return NOTHING;
    const rows = await tx.query(
      'DELETE FROM users WHERE id IN (SELECT id FROM service_accounts WHERE organization_id = $1) RETURNING 1',
      [id],
    );
    return { cursor: null, counts: { service_accounts: rows.length } };
  },
};

const ACCOUNT: Stage = {
  name: 'users',
  async step(tx, { subject }) {
    if (subject.type !== 'member' || subject.with_account !== true) return NOTHING;
    const rows = await tx.query(
      `DELETE FROM users u WHERE u.id = $1 AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id) RETURNING 1`,
      [subject.user_id],
    );
    return { cursor: null, counts: { users: rows.length } };
  },
};

const PLAIN = 'other tables';
const ERASED = STORED_TABLES.filter(({ kept }) => kept === undefined);

// A job stores its place as a number: no stage leaves the lists, and a new one stands as far back as it may.
const EXPORT: readonly Stage[] = [
  ...STORED_TABLES.filter(({ key }) => key !== null).map(buildExport),
  RUNS_TO_EXPORT,
  { name: PLAIN, step: stepPlainTables((table) => buildExport(table).step) },
];
const ERASURE: readonly Stage[] = [
  RUNS_TO_ERASE,
  SERVICE_USERS,
  ...ERASED.slice(0, -1).map(buildErasure),
  // Before the organization, whose deletion would take their rows without counting them.
  { name: PLAIN, step: stepPlainTables((table) => buildErasure(table).step) },
  ...ERASED.slice(-1).map(buildErasure),
  // A run that was accepted while its organization was closed.
  RUNS_TO_ERASE,
  ACCOUNT,
];

/** Lists the stages of a job. */
export const listStages = ({ kind }: Pick<DataJob, 'kind'>): readonly Stage[] =>
  kind === 'export' ? EXPORT : ERASURE;
