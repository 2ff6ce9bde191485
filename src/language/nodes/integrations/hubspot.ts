/** HubSpot: records of its CRM, with the token of a private app or for people who sign in. */
import { describeCatalogAction } from './actions.ts';
import { bearer, oauth2 } from './auth-schemes.ts';
import type { Integration, OAuthProvider } from './integration.ts';
import { tooMany } from './service-rules.ts';

const object_type = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'contacts, companies, deals, tickets, or the name or id of another type',
};
const object_id = { type: 'string', pattern: '^[0-9]{1,20}$' };
const properties = { type: 'object', description: 'Values by the names of properties' };
const shownProperties = { type: 'string', description: 'Names of properties to read, separated by commas' };
const after = { type: 'string', description: 'The next page: paging.next.after of the page before' };
const limit = { type: 'integer', minimum: 1, maximum: 100 };
const record = { id: { type: 'string' }, properties: { type: 'object' }, createdAt: { type: 'string' } };
const list = {
  results: { type: 'array', items: { type: 'object', properties: record } },
  paging: { type: 'object' },
};
const SCOPES = ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write'];

const provider: OAuthProvider = {
  authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
  tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
  scopeSeparator: ' ',
};

export const hubspot: Integration = {
  name: 'hubspot',
  displayName: 'HubSpot',
  description: 'Reads and writes contacts, companies, deals and other records of HubSpot.',
  version: '1.0.0',
  category: 'crm',
  docsUrl: 'https://developers.hubspot.com/docs/api/crm/objects',
  tags: ['crm', 'contacts'],
  baseUrl: 'https://api.hubapi.com',
  baseUrlField: null,
  auth: [bearer([]), oauth2(provider, SCOPES)],
  actions: [
    describeCatalogAction({
      name: 'list_records',
      displayName: 'List records',
      description: 'Lists a page of the records of a type; `paging.next.after` leads to the next one.',
      method: 'GET',
      path: '/crm/v3/objects/{object_type}',
      input: { object_type, limit, after, properties: shownProperties },
      required: ['object_type'],
      output: list,
    }),
    describeCatalogAction({
      name: 'search_records',
      displayName: 'Search records',
      description: 'Finds records by a text or by filters.',
      method: 'POST',
      path: '/crm/v3/objects/{object_type}/search',
      input: {
        object_type,
        query: { type: 'string', maxLength: 3_000 },
        filterGroups: { type: 'array', items: { type: 'object' }, maxItems: 5 },
        sorts: { type: 'array', maxItems: 1 },
        properties: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer', minimum: 1, maximum: 200 },
        after,
      },
      required: ['object_type'],
      output: { total: { type: 'integer' }, ...list },
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'get_record',
      displayName: 'Get record',
      description: 'Reads a record by its id, or by a unique property such as email.',
      method: 'GET',
      path: '/crm/v3/objects/{object_type}/{key}',
      input: {
        object_type,
        key: { type: 'string', minLength: 1, maxLength: 255 },
        idProperty: { type: 'string', description: 'The unique property that `key` is a value of' },
        properties: shownProperties,
      },
      required: ['object_type', 'key'],
      output: record,
    }),
    describeCatalogAction({
      name: 'create_record',
      displayName: 'Create record',
      description: 'Creates a record.',
      method: 'POST',
      path: '/crm/v3/objects/{object_type}',
      input: {
        object_type,
        properties,
        associations: { type: 'array', items: { type: 'object' }, maxItems: 100 },
      },
      required: ['object_type', 'properties'],
      output: record,
    }),
    describeCatalogAction({
      name: 'update_record',
      displayName: 'Update record',
      description: 'Changes the given properties of a record.',
      method: 'PATCH',
      path: '/crm/v3/objects/{object_type}/{object_id}',
      input: { object_type, object_id, properties },
      required: ['object_type', 'object_id', 'properties'],
      output: record,
      // The same values again change nothing.
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'archive_record',
      displayName: 'Archive record',
      description: 'Moves a record to the recycling bin.',
      method: 'DELETE',
      path: '/crm/v3/objects/{object_type}/{object_id}',
      input: { object_type, object_id },
      required: ['object_type', 'object_id'],
      output: {},
      // HubSpot answers 204 for an archived record, too.
      idempotent: true,
    }),
  ],
  // The limit of ten seconds has passed after ten; that of a day no wait of a node outlasts ("Usage guidelines").
  answers: {
    declines: [
      {
        ...tooMany(10),
        when: {
          match: 'all',
          rules: [
            ...tooMany().when.rules,
            { left: '{{response.data.policyName}}', op: 'neq', right: 'DAILY' },
          ],
        },
      },
    ],
  },
  test: { path: '/crm/v3/objects/contacts?limit=1', headers: {} },
};
