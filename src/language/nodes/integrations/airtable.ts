/** Airtable: records of bases, with a personal access token. */
import { describeCatalogAction } from './actions.ts';
import { bearer } from './auth-schemes.ts';
import type { Integration } from './integration.ts';
import { tooMany } from './service-rules.ts';

const id = (prefix: string) => ({ type: 'string', pattern: `^${prefix}[A-Za-z0-9]{1,40}$` });
const base_id = id('app');
const record_id = id('rec');
const table = { type: 'string', minLength: 1, maxLength: 255, description: 'Name or id of the table' };
const fields = { type: 'object', description: 'Values by the names of fields' };
const typecast = { type: 'boolean', description: 'Airtable converts texts to the types of fields' };
const record = { id: { type: 'string' }, createdTime: { type: 'string' }, fields: { type: 'object' } };

export const airtable: Integration = {
  name: 'airtable',
  displayName: 'Airtable',
  description: 'Reads and writes records of Airtable bases.',
  version: '1.0.0',
  category: 'productivity',
  docsUrl: 'https://airtable.com/developers/web/api',
  tags: ['tables'],
  baseUrl: 'https://api.airtable.com/v0',
  baseUrlField: null,
  auth: [bearer([])],
  actions: [
    describeCatalogAction({
      name: 'list_records',
      displayName: 'List records',
      description: 'Lists a page of the records of a table; `offset` leads to the next one.',
      method: 'GET',
      path: '/{base_id}/{table}',
      input: {
        base_id,
        table,
        filterByFormula: { type: 'string', maxLength: 8_000 },
        view: { type: 'string' },
        pageSize: { type: 'integer', minimum: 1, maximum: 100 },
        offset: { type: 'string' },
      },
      required: ['base_id', 'table'],
      output: {
        records: { type: 'array', items: { type: 'object', properties: record } },
        offset: { type: 'string' },
      },
    }),
    describeCatalogAction({
      name: 'get_record',
      displayName: 'Get record',
      description: 'Reads a record.',
      method: 'GET',
      path: '/{base_id}/{table}/{record_id}',
      input: { base_id, table, record_id },
      required: ['base_id', 'table', 'record_id'],
      output: record,
    }),
    describeCatalogAction({
      name: 'create_record',
      displayName: 'Create record',
      description: 'Creates a record.',
      method: 'POST',
      path: '/{base_id}/{table}',
      input: { base_id, table, fields, typecast },
      required: ['base_id', 'table', 'fields'],
      output: record,
    }),
    describeCatalogAction({
      name: 'update_record',
      displayName: 'Update record',
      description: 'Changes the given fields of a record.',
      method: 'PATCH',
      path: '/{base_id}/{table}/{record_id}',
      input: { base_id, table, record_id, fields, typecast },
      required: ['base_id', 'table', 'record_id', 'fields'],
      output: record,
      // The same values again change nothing.
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'delete_record',
      displayName: 'Delete record',
      description: 'Deletes a record.',
      method: 'DELETE',
      path: '/{base_id}/{table}/{record_id}',
      input: { base_id, table, record_id },
      required: ['base_id', 'table', 'record_id'],
      output: { id: { type: 'string' }, deleted: { type: 'boolean' } },
    }),
  ],
  // Without Retry-After: a base that was asked too often refuses everything for 30 s ("Rate limits").
  answers: { declines: [tooMany(30)] },
  test: { path: '/meta/whoami', headers: {} },
};
