/** Routes of tables and their rows, with their shapes. */
import { IDS, AT } from '../../http/docs/example-ids.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { refusal, success, uuidParams } from '../../http/wire.ts';
import type { DataTable } from '../../../base/db/generated/client.ts';
import type { StoredRow } from '../rows.ts';
import {
  newTable,
  row,
  rowChange,
  rowDeletion,
  rowList,
  rowParams,
  rowQuery,
  table,
  tableChange,
  tableList,
  tableQuery,
} from './schema.ts';
import {
  changeTable,
  createTable,
  deleteRow,
  deleteTable,
  getRow,
  getTable,
  listRows,
  listTables,
  putRow,
  type TableDeps,
} from './service.ts';

const presentTable = ({
  id,
  name,
  description,
  ...rest
}: Omit<DataTable, 'lastVersion' | 'polledAt'>): object => ({
  id,
  organization_id: rest.organizationId,
  name,
  description,
  row_count: rest.rowCount,
  created_by: rest.createdBy,
  created_at: rest.createdAt.toISOString(),
  updated_at: rest.updatedAt.toISOString(),
});

const presentRow = ({ created_at: created, updated_at: updated, ...rest }: StoredRow): object => ({
  ...rest,
  created_at: created.toISOString(),
  updated_at: updated.toISOString(),
});

const exampleTable = presentTable({
  id: 'b8f3e0a1-6c2d-4e5f-9a7b-1c2d3e4f5a6b',
  organizationId: IDS.organization,
  name: 'Customers',
  description: 'The last order of each customer',
  rowCount: 1,
  createdBy: IDS.user,
  createdAt: new Date(AT),
  updatedAt: new Date(AT),
});
const exampleRow = presentRow({
  key: 'ada@company.example',
  value: { orders: 3, status: 'active' },
  version: 1,
  updated_by: IDS.user,
  run_pk: null,
  step_id: null,
  created_at: new Date(AT),
  updated_at: new Date(AT),
});

const route = routesFor<TableDeps>();
const common = { tag: 'tables', access: 'organization' } as const;
const params = uuidParams('table_id');
const all = '/tables';
const one = `${all}/:table_id`;
const oneRow = `${one}/rows/:key`;

export const tableRoutes: readonly Route<TableDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createTable',
    summary: 'Create a table',
    body: newTable,
    isGated: true,
    example: {
      request: { name: 'Customers', description: 'The last order of each customer' },
      replies: { 201: exampleTable },
    },
    replies: { 201: table, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: presentTable(await createTable(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listTables',
    summary: 'List the tables of the organization, by name',
    query: tableQuery,
    example: { replies: { 200: { tables: [exampleTable], next_cursor: null } } },
    replies: { 200: tableList },
    async handle({ deps, scope, query }) {
      const { rows, nextCursor } = await listTables(deps, scope, query);
      return { status: 200, body: { tables: rows.map(presentTable), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    params,
    method: 'GET',
    path: one,
    operationId: 'getTable',
    summary: 'Read a table',
    example: { replies: { 200: exampleTable } },
    replies: { 200: table },
    handle: async ({ deps, scope, params: { table_id: id } }) => ({
      status: 200,
      body: presentTable(await getTable(deps, scope, id)),
    }),
  }),
  route({
    ...common,
    params,
    method: 'PATCH',
    path: one,
    operationId: 'updateTable',
    summary: 'Change the supplied fields of a table',
    body: tableChange,
    find: ({ deps, scope, params: { table_id: id } }) => getTable(deps, scope, id),
    example: { request: { name: 'Customers of the shop' }, replies: { 200: exampleTable } },
    replies: { 200: table, 409: refusal },
    handle: async ({ deps, scope, params: { table_id: id }, body }) => ({
      status: 200,
      body: presentTable(await changeTable(deps, scope, { id, ...body })),
    }),
  }),
  route({
    ...common,
    params,
    method: 'DELETE',
    path: one,
    operationId: 'deleteTable',
    summary: 'Delete a table with its rows',
    example: { replies: { 200: { success: true, message: 'Table deleted' } } },
    replies: { 200: success },
    async handle({ deps, scope, params: { table_id: id } }) {
      await deleteTable(deps, scope, id);
      return { status: 200, body: { success: true, message: 'Table deleted' } };
    },
  }),
  route({
    ...common,
    params,
    method: 'GET',
    path: `${one}/rows`,
    operationId: 'listTableRows',
    summary: 'List the rows of a table, by key',
    query: rowQuery,
    example: { replies: { 200: { rows: [exampleRow], next_cursor: null } } },
    replies: { 200: rowList },
    async handle({ deps, scope, params: { table_id: tableId }, query }) {
      const { rows, nextCursor } = await listRows(deps, scope, { tableId, query });
      return { status: 200, body: { rows: rows.map(presentRow), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    params: rowParams,
    method: 'GET',
    path: oneRow,
    operationId: 'getTableRow',
    summary: 'Read a row of a table',
    example: { replies: { 200: exampleRow } },
    replies: { 200: row },
    handle: async ({ deps, scope, params: { table_id: tableId, key } }) => ({
      status: 200,
      body: presentRow(await getRow(deps, scope, { tableId, key })),
    }),
  }),
  route({
    ...common,
    params: rowParams,
    method: 'PUT',
    path: oneRow,
    operationId: 'putTableRow',
    summary: 'Create a row, or replace its value',
    body: rowChange,
    isGated: true,
    find: ({ deps, scope, params: { table_id: id } }) => getTable(deps, scope, id),
    example: {
      request: { value: { orders: 3, status: 'active' } },
      replies: { 200: exampleRow },
    },
    replies: { 200: row, 409: refusal },
    handle: async ({ deps, scope, params: { table_id: tableId, key }, body }) => ({
      status: 200,
      body: presentRow(await putRow(deps, scope, { tableId, key, body })),
    }),
  }),
  route({
    ...common,
    params: rowParams,
    method: 'DELETE',
    path: oneRow,
    operationId: 'deleteTableRow',
    summary: 'Delete a row of a table',
    query: rowDeletion,
    example: { replies: { 200: { success: true, message: 'Row deleted' } } },
    replies: { 200: success, 409: refusal },
    async handle({ deps, scope, params: { table_id: tableId, key }, query }) {
      await deleteRow(deps, scope, { tableId, key, expected: query.expected_version });
      return { status: 200, body: { success: true, message: 'Row deleted' } };
    },
  }),
];
