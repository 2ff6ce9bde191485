/** Tables as nodes read them. Writes are made in the transaction that ends the step (runs/execute/attempt/table-write.ts). */
import type { Sql } from '../../base/db/client.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { TableRow, TablesPort } from '../../language/nodes/tools.ts';
import { readRow, readRows, type StoredRow, type TableRef } from './rows.ts';

const present = ({ key, value, version }: StoredRow): TableRow => ({ key, value, version });

/** @throws NodeError `table_not_found`, also for a table of another organization */
async function requireTable(sql: Sql, { organizationId, tableId }: TableRef): Promise<void> {
  const found = await sql.query('SELECT 1 FROM data_tables WHERE organization_id = $1 AND id = $2', [
    organizationId,
    tableId,
  ]);
  if (found.length === 0) throw new NodeError('table_not_found', 'The table does not exist');
}

export const createTablesPort = (sql: Sql): TablesPort => ({
  async get(table, key) {
    await requireTable(sql, table);
    const row = await readRow(sql, table, key);
    return row === null ? null : present(row);
  },
  async query(table, query) {
    await requireTable(sql, table);
    const { rows, nextKey } = await readRows(sql, table, query);
    return { rows: rows.map(present), next: nextKey };
  },
});
