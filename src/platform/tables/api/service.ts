/** Creates, lists, changes and deletes the tables of an organization, and their rows. */
import type { Clock } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Db, Tx } from '../../../base/db/client.ts';
import type { DataTable } from '../../../base/db/generated/client.ts';
import type { PageRead, Position } from '../../../base/db/keyset.ts';
import { isUniqueViolation } from '../../../base/db/transient-error.ts';
import { conflict, denied, notFound } from '../../../base/errors.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import type { RowWrite } from '../../../language/nodes/tool/row-request.ts';
import type { Scope } from '../../access/caller.ts';
import { requireQuota } from '../../billing/admission.ts';
import { readCursorPage } from '../../http/cursor-page.ts';
import { readRow, readRows, writeRow, type RowAnswer, type StoredRow } from '../rows.ts';
import type { NewTable, RowQuery, TableChange, TableQuery } from './schema.ts';

export interface TableDeps {
  readonly db: Db;
  readonly config: Config;
  readonly clock: Clock;
}

const nameTaken = () => conflict('table_name_taken', 'Another table of the organization has this name');

/** @throws ApiError 403 shape D `quota_exceeded`, 409 for a name that is taken */
export async function createTable(
  { db }: TableDeps,
  { organizationId, subscription, caller }: Scope,
  { name, description }: NewTable,
): Promise<DataTable> {
  return db.prisma.$transaction(async (tx) => {
    // The lock makes concurrent creations count one another.
    await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    requireQuota(subscription, 'tables', await tx.dataTable.count({ where: { organizationId } }));
    if ((await tx.dataTable.count({ where: { organizationId, name } })) > 0) throw nameTaken();
    return tx.dataTable.create({ data: { organizationId, name, description, createdBy: caller.userId } });
  });
}

/** A text as the position of a list: cursors take printable ASCII. */
const toPosition = (text: string): Position => ({
  place: 0,
  rowId: Buffer.from(text).toString('base64url'),
});
const readText = ({ from }: Pick<PageRead, 'from'>): string | null =>
  from === null ? null : Buffer.from(from.rowId, 'base64url').toString();

/** Lists a page of the tables of the organization, by name. @throws ApiError 400 for a cursor of another list */
export async function listTables(
  { db, config }: TableDeps,
  { organizationId }: Scope,
  query: TableQuery,
): Promise<{ readonly rows: readonly DataTable[]; readonly nextCursor: string | null }> {
  return readCursorPage(config.auth, query, {
    name: `tables/${organizationId}`,
    read(page) {
      const after = readText(page);
      return db.prisma.dataTable.findMany({
        where: { organizationId, ...(after === null ? {} : { name: { gt: after } }) },
        orderBy: { name: 'asc' },
        take: page.limit,
      });
    },
    readPosition: ({ name }) => toPosition(name),
  });
}

/** @throws ApiError 404 */
export async function getTable(
  { db }: Pick<TableDeps, 'db'>,
  { organizationId }: Pick<Scope, 'organizationId'>,
  id: string,
): Promise<DataTable> {
  const found = await db.prisma.dataTable.findFirst({ where: { id, organizationId } });
  if (found === null) throw notFound('Table');
  return found;
}

/** Changes the supplied fields. @throws ApiError 404, 409 for a name that is taken */
export async function changeTable(
  deps: TableDeps,
  scope: Scope,
  { id, name, description }: TableChange & { readonly id: string },
): Promise<DataTable> {
  const before = await getTable(deps, scope, id);
  const data = {
    name: name ?? before.name,
    description: description ?? before.description,
    updatedAt: new Date(deps.clock.now()),
  };
  try {
    return await deps.db.prisma.dataTable.update({
      where: { id, organizationId: scope.organizationId },
      data,
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/** Deletes a table with its rows. @throws ApiError 404 */
export async function deleteTable(
  { db }: Pick<TableDeps, 'db'>,
  { organizationId }: Scope,
  id: string,
): Promise<void> {
  const { count } = await db.prisma.dataTable.deleteMany({ where: { id, organizationId } });
  if (count === 0) throw notFound('Table');
}

/** Lists a page of the rows of a table. @throws ApiError 404; 400 for a cursor of another list */
export async function listRows(
  deps: TableDeps,
  scope: Scope,
  { tableId, query }: { readonly tableId: string; readonly query: RowQuery },
): Promise<{ readonly rows: readonly StoredRow[]; readonly nextCursor: string | null }> {
  await getTable(deps, scope, tableId);
  const { organizationId } = scope;
  const { prefix = null, field = null, equals = null } = query;
  return readCursorPage<StoredRow>(deps.config.auth, query, {
    name: `table-rows/${organizationId}/${tableId}`,
    async read(page) {
      const after = readText(page);
      const read = { prefix, field, equals, after, limit: page.limit };
      const { rows, nextKey } = await readRows(deps.db, { organizationId, tableId }, read);
      return { rows, stoppedAt: nextKey === null ? null : toPosition(nextKey) };
    },
    readPosition: ({ key }) => toPosition(key),
  });
}

/** The key of a row in a table of the organization. */
interface RowRef {
  readonly tableId: string;
  readonly key: string;
}

/** @throws ApiError 404 */
export async function getRow(
  deps: Pick<TableDeps, 'db'>,
  scope: Pick<Scope, 'organizationId'>,
  { tableId, key }: RowRef,
): Promise<StoredRow> {
  await getTable(deps, scope, tableId);
  const found = await readRow(deps.db, { organizationId: scope.organizationId, tableId }, key);
  if (found === null) throw notFound('Table row');
  return found;
}

/** Creates or replaces a row. @throws ApiError 404; 409 for another version; 403 shape D beyond the plan */
export async function putRow(
  { db }: Pick<TableDeps, 'db'>,
  scope: Scope,
  {
    tableId,
    key,
    body,
  }: RowRef & { readonly body: { readonly value: Json; readonly expected_version?: number | undefined } },
): Promise<StoredRow> {
  const { value, expected_version: expected } = body;
  const table = { organizationId: scope.organizationId, tableId };
  const given = { value, ...(expected === undefined ? {} : { expected_version: expected }) };
  return db.transaction(async (tx) => {
    const { written } = await write(tx, scope, { tableId, request: { operation: 'put', key, given } });
    if (!written) throw versionConflict();
    const row = await readRow(tx, table, key);
    if (row === null) throw new Error('the row was not written');
    return row;
  });
}

/** @throws ApiError 404; 409 for another version */
export async function deleteRow(
  { db }: Pick<TableDeps, 'db'>,
  scope: Scope,
  { tableId, key, expected }: RowRef & { readonly expected: number | undefined },
): Promise<void> {
  const given = expected === undefined ? {} : { expected_version: expected };
  await db.transaction(async (tx) => {
    const answer = await write(tx, scope, { tableId, request: { operation: 'delete', key, given } });
    if (answer.written) return;
    throw answer.version === null ? notFound('Table row') : versionConflict();
  });
}

const versionConflict = () =>
  conflict('row_version_conflict', 'The row does not have the `expected_version`');

/** @throws ApiError 404; 403 shape D beyond the plan */
async function write(
  tx: Tx,
  { organizationId, caller, subscription }: Scope,
  { tableId, request }: { readonly tableId: string; readonly request: RowWrite },
): Promise<RowAnswer> {
  const by = { subscription, writer: { userId: caller.userId } };
  const answer = await writeRow(tx, { organizationId, tableId }, { ...request, ...by });
  if (!('refused' in answer)) return answer;
  const { refused, current = null, limit = null } = answer;
  if (refused === 'table_not_found') throw notFound('Table');
  const key = refused === 'table_full' ? 'table_rows' : 'table_row_bytes';
  throw denied({ code: 'quota_exceeded', key, current, limit });
}
