/** Rows of the tables of an organization: reads by key and in pages, and writes, which the SQL function write_data_row decides. */
import type { Sql, Tx } from '../../base/db/client.ts';
import type { Json } from '../../language/graph/values/value.ts';
import type { RowQuery, RowWrite } from '../../language/nodes/tool/row-request.ts';
import type { Subscription } from '../access/caller.ts';
import { resolveEntitlements } from '../billing/plans.ts';

/** A table of an organization. */
export interface TableRef {
  readonly organizationId: string;
  readonly tableId: string;
}

export interface StoredRow {
  readonly key: string;
  readonly value: Json;
  readonly version: number;
  /** The person who wrote it last; null: a run did, or the person was erased. */
  readonly updated_by: string | null;
  /** The run that wrote it last, and its step. */
  readonly run_pk: string | null;
  readonly step_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Rows behind which a filtered page stops, although it is not full. 2,000 rows of 64 KiB would be 128 MiB to look at. */
export const MAX_LOOKED = 2_000;
/** Bytes of the values of a page, as JSON: the output of a node may be 8 MiB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const COLUMNS = 'key, value, version, updated_by, run_pk, step_id, created_at, updated_at';

/** Reads a row; null when there is none. */
export async function readRow(
  sql: Sql,
  { organizationId, tableId }: TableRef,
  key: string,
): Promise<StoredRow | null> {
  const rows = await sql.query<StoredRow>(
    `SELECT key, value, version, updated_by, run_pk, step_id, created_at, updated_at FROM data_rows
     WHERE table_id = $1 AND organization_id = $2 AND key = $3`,
    [tableId, organizationId, key],
  );
  return rows[0] ?? null;
}

/** A page of rows by key. */
interface RowPage {
  readonly rows: readonly StoredRow[];
  /** The key behind which the page goes on; null: it was the last one. */
  readonly nextKey: string | null;
}

interface PageFacts {
  /** Rows of the index that were looked at, and the last of them. */
  readonly looked: number;
  readonly last_looked: string | null;
  readonly matched: number;
}

/**
 * Reads the rows behind a key. A page ends early when its values are large, and with a filter of a field after MAX_LOOKED rows, so that it
 * may be empty and yet not the last one.
 */
export async function readRows(
  sql: Sql,
  { organizationId, tableId }: TableRef,
  { prefix, field, equals, after, limit }: RowQuery,
): Promise<RowPage> {
  const params: unknown[] = [tableId, organizationId];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const conditions = ['table_id = $1', 'organization_id = $2'];
  if (after !== null) conditions.push(`key > ${bind(after)}`);
  if (prefix !== null) {
    const from = bind(prefix);
    // In the order of bytes, all keys with a prefix are between it and it with the last character of Unicode behind it.
    conditions.push(`key >= ${from}`, `key < ${from}::text || chr(1114111)`);
  }
  const most = field === null ? limit + 1 : MAX_LOOKED;
  const filter = field === null ? 'true' : `value->>${bind(field)}::text = ${bind(equals ?? '')}`;
  const rows = await sql.query<PageFacts & { readonly key: string | null } & StoredRow>(
    `WITH next AS MATERIALIZED (
       SELECT ${COLUMNS} FROM data_rows WHERE ${conditions.join(' AND ')} ORDER BY key LIMIT ${bind(most)}
     ), matching AS MATERIALIZED (
       SELECT * FROM next WHERE ${filter} ORDER BY key LIMIT ${bind(limit + 1)}
     ), measured AS (
       SELECT *, sum(octet_length(value::text)) OVER (ORDER BY key) - octet_length(value::text) AS before FROM matching
     ), page AS (
       SELECT ${COLUMNS} FROM measured WHERE before < ${bind(MAX_PAGE_BYTES)} ORDER BY key LIMIT ${bind(limit)}
     )
     SELECT facts.*, page.* FROM (
       SELECT (SELECT count(*) FROM next) AS looked, (SELECT max(key) FROM next) AS last_looked,
              (SELECT count(*) FROM matching) AS matched
     ) facts LEFT JOIN page ON true ORDER BY page.key`,
    params,
  );
  const [facts] = rows;
  const found = rows.filter(({ key }) => key !== null);
  if (facts === undefined) return { rows: [], nextKey: null };
  if (found.length < facts.matched) return { rows: found, nextKey: found.at(-1)?.key ?? null };
  return { rows: found, nextKey: field !== null && facts.looked === most ? facts.last_looked : null };
}

/** The last writer of a row. */
type RowWriter = { readonly userId: string } | { readonly runPk: string; readonly stepId: string };

/** A write that was decided. */
export interface RowAnswer {
  /** False: another version, a row that is there, or none to delete. */
  readonly written: boolean;
  /** Of the row as it is now; null: there is none. */
  readonly version: number | null;
  /** The number after an increment. */
  readonly value?: Json;
}

export interface RowRefused {
  readonly refused: 'table_not_found' | 'table_full' | 'row_too_large' | 'not_a_number' | 'not_an_object';
  /** The limit of the plan, and what would exceed it. */
  readonly limit?: number;
  readonly current?: number;
}

/** PostgreSQL's largest integer: no limit. */
export const UNLIMITED = 2_147_483_647;

/** Writes a row in the caller's transaction, within the limits of the plan. */
export async function writeRow(
  tx: Tx,
  { organizationId, tableId }: TableRef,
  {
    operation,
    key,
    given,
    writer,
    subscription,
  }: RowWrite & { readonly writer: RowWriter; readonly subscription: Subscription },
): Promise<RowAnswer | RowRefused> {
  const { table_rows: rows, table_row_bytes: bytes } = resolveEntitlements(subscription);
  const [answer] = await tx.query<{ result: RowAnswer | RowRefused }>(
    'SELECT write_data_row($1, $2, $3, $4, $5::json, $6, $7, $8, $9, $10) AS result',
    [
      tableId,
      organizationId,
      operation,
      key,
      JSON.stringify(given),
      rows ?? UNLIMITED,
      bytes ?? UNLIMITED,
      'userId' in writer ? writer.userId : null,
      'userId' in writer ? null : writer.runPk,
      'userId' in writer ? null : writer.stepId,
    ],
  );
  if (answer === undefined) throw new Error('write_data_row returned nothing');
  return answer.result;
}
