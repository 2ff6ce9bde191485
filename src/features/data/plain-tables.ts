/**
 * The tables that `tables.ts` need not list, because they tell by their columns what is to be done: each row has an `id`, an
 * `organization_id` and a `created_by`, and nothing that leads to a secret. All other columns are exported.
 */
import type { Tx } from '../../base/db/client.ts';
import type { DataJob } from './jobs.ts';
import type { PartWriter } from './part-writer.ts';
import type { StepResult } from './run-data.ts';
import { createdBy, STORED_TABLES, type StoredTable } from './tables.ts';

/** Secrets are bytes: sealed texts, and hashes of tokens. Neither is text that people write. */
const FIND_PLAIN = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attnum > 0
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1) AND c.relname > $2
  GROUP BY c.relname
  HAVING array_agg(a.attname::text) @> '{id,organization_id,created_by}' AND NOT bool_or(a.atttypid = 'bytea'::regtype)
  ORDER BY c.relname LIMIT 1`;

/** Runs have a stage of their own. */
const LISTED = [...STORED_TABLES.map(({ name }) => name), 'runs'];

/** @returns the first plain table behind a name, in the order of their names; null for none */
export async function findPlainTable(sql: Pick<Tx, 'query'>, behind: string): Promise<string | null> {
  const [found] = await sql.query<{ name: string }>(FIND_PLAIN, [LISTED, behind]);
  return found?.name ?? null;
}

type Step = (tx: Tx, job: DataJob, writer: PartWriter) => Promise<StepResult>;

/**
 * Makes one step of all plain tables, one after the other: what a step of each does is that of a table with a row.
 * @returns a step whose cursor is the table and the cursor within it
 */
export const stepPlainTables =
  (toStep: (table: StoredTable) => Step): Step =>
  async (tx, job, writer) => {
    const [table, inner = null] = Array.isArray(job.cursor) ? job.cursor : [];
    const before = typeof table === 'string' ? table : '';
    const name = inner === null ? await findPlainTable(tx, before) : before;
    if (name === null) return { cursor: null, counts: {} };
    const step = toStep({ name, key: 't.id::text', ...createdBy });
    const { cursor, counts } = await step(tx, { ...job, cursor: inner }, writer);
    return { cursor: [name, cursor], counts };
  };
