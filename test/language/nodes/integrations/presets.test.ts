/** An action of the catalog would send another request than its service documents, or take a refusal for a result. */
import { expect, test } from 'vitest';
import { buildActionRequest } from '../../../../src/language/nodes/tool/integration-request.ts';
import { findAction, findIntegration } from '../../../../src/language/nodes/integrations/catalog.ts';
import { placeSecrets } from '../../../../src/platform/credentials/place-secrets.ts';
import { place } from '../../../../src/platform/credentials/vault/placement.ts';
import { RequestChecks } from '../../../../src/language/nodes/schema-issues.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';

const ACCOUNTS: Readonly<Record<string, { authType: string; data: JsonObject; sends: string }>> = {
  telegram: { authType: 'api_key', data: { bot_token: '123:secret' }, sends: '' },
  airtable: { authType: 'bearer', data: { access_token: 'secret' }, sends: 'authorization: Bearer secret' },
  discord: { authType: 'api_key', data: { api_key: 'secret' }, sends: 'authorization: Bot secret' },
  shopify: {
    authType: 'api_key',
    data: { shop: 'mine', api_key: 'secret' },
    sends: 'x-shopify-access-token: secret',
  },
  elevenlabs: { authType: 'api_key', data: { api_key: 'secret' }, sends: 'xi-api-key: secret' },
  google_sheets: {
    authType: 'oauth2',
    data: { access_token: 'secret' },
    sends: 'authorization: Bearer secret',
  },
};
const SHEETS = 'https://sheets.googleapis.com/v4/spreadsheets/s1/values/A!A1%3AB';
const BOT = 'https://api.telegram.org/bot123:secret';
const SHOP = 'https://mine.myshopify.com/admin/api/2026-10';

type Sent = [string, string, JsonObject, string, string, JsonObject | null];

/** Method, address and body as the documentation of each service has them. */
test.each([
  [
    'telegram',
    'send_message',
    { chat_id: 7, text: 'hi' },
    'POST',
    `${BOT}/sendMessage`,
    { chat_id: 7, text: 'hi' },
  ],
  [
    'telegram',
    'send_photo',
    { chat_id: 7, photo: 'x' },
    'POST',
    `${BOT}/sendPhoto`,
    { chat_id: 7, photo: 'x' },
  ],
  [
    'telegram',
    'edit_message',
    { chat_id: 7, message_id: 1, text: 'x' },
    'POST',
    `${BOT}/editMessageText`,
    { chat_id: 7, message_id: 1, text: 'x' },
  ],
  [
    'telegram',
    'delete_message',
    { chat_id: 7, message_id: 1 },
    'POST',
    `${BOT}/deleteMessage`,
    { chat_id: 7, message_id: 1 },
  ],
  ['telegram', 'get_chat', { chat_id: '@a' }, 'GET', `${BOT}/getChat?chat_id=%40a`, null],
  [
    'airtable',
    'list_records',
    { base_id: 'app1', table: 'My table', pageSize: 2 },
    'GET',
    'https://api.airtable.com/v0/app1/My%20table?pageSize=2',
    null,
  ],
  [
    'airtable',
    'get_record',
    { base_id: 'app1', table: 't', record_id: 'rec1' },
    'GET',
    'https://api.airtable.com/v0/app1/t/rec1',
    null,
  ],
  [
    'airtable',
    'create_record',
    { base_id: 'app1', table: 't', fields: { A: 1 } },
    'POST',
    'https://api.airtable.com/v0/app1/t',
    { fields: { A: 1 } },
  ],
  [
    'airtable',
    'update_record',
    { base_id: 'app1', table: 't', record_id: 'rec1', fields: {} },
    'PATCH',
    'https://api.airtable.com/v0/app1/t/rec1',
    { fields: {} },
  ],
  [
    'airtable',
    'delete_record',
    { base_id: 'app1', table: 't', record_id: 'rec1' },
    'DELETE',
    'https://api.airtable.com/v0/app1/t/rec1',
    null,
  ],
  [
    'discord',
    'send_message',
    { channel_id: '1', content: 'x' },
    'POST',
    'https://discord.com/api/v10/channels/1/messages',
    { content: 'x' },
  ],
  [
    'discord',
    'edit_message',
    { channel_id: '1', message_id: '2', content: 'x' },
    'PATCH',
    'https://discord.com/api/v10/channels/1/messages/2',
    { content: 'x' },
  ],
  ['discord', 'get_channel', { channel_id: '1' }, 'GET', 'https://discord.com/api/v10/channels/1', null],
  ['shopify', 'get_order', { order_id: '1' }, 'GET', `${SHOP}/orders/1.json`, null],
  ['shopify', 'list_orders', { status: 'any' }, 'GET', `${SHOP}/orders.json?status=any`, null],
  [
    'shopify',
    'graphql',
    { query: '{ shop { name } }' },
    'POST',
    `${SHOP}/graphql.json`,
    { query: '{ shop { name } }' },
  ],
  [
    'elevenlabs',
    'text_to_speech',
    { voice_id: 'v', text: 'x', output_format: 'mp3' },
    'POST',
    'https://api.elevenlabs.io/v1/text-to-speech/v?output_format=mp3',
    { text: 'x' },
  ],
  ['elevenlabs', 'list_voices', {}, 'GET', 'https://api.elevenlabs.io/v1/voices', null],
  ['elevenlabs', 'list_models', {}, 'GET', 'https://api.elevenlabs.io/v1/models', null],
  ['google_sheets', 'get_values', { spreadsheet_id: 's1', range: 'A!A1:B' }, 'GET', SHEETS, null],
  [
    'google_sheets',
    'append_rows',
    { spreadsheet_id: 's1', range: 'A!A1:B', values: [[1]] },
    'POST',
    `${SHEETS}:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS`,
    { values: [[1]] },
  ],
  [
    'google_sheets',
    'update_values',
    { spreadsheet_id: 's1', range: 'A!A1:B', values: [[1]] },
    'PUT',
    `${SHEETS}?valueInputOption=USER_ENTERED`,
    { values: [[1]] },
  ],
  ['google_sheets', 'clear_values', { spreadsheet_id: 's1', range: 'A!A1:B' }, 'POST', `${SHEETS}:clear`, {}],
] as Sent[])('%s %s is sent as its service documents it', (...expected) => {
  const [name, actionName, parameters, method, url, body] = expected;
  const integration = findIntegration(name);
  const action = integration === null ? null : findAction(integration, actionName);
  const account = ACCOUNTS[name];
  if (integration === null || action === null || account === undefined) throw new Error('unknown');
  expect(new RequestChecks().findIssues(action.inputSchema, parameters)).toEqual([]);
  const placed = place(integration, account.authType, account.data);
  if (placed === null) throw new Error('not placed');
  const request = buildActionRequest(action, placed.baseUrl ?? '', parameters);
  expect(JSON.stringify(request)).not.toContain('secret');
  const sent = placeSecrets(request, placed);
  expect(sent.url).toBe(url);
  expect(request.method).toBe(method);
  expect(request.body === null ? null : JSON.parse(request.body)).toEqual(body);
  const headers = Object.entries(sent.headers).map(([header, value]) => `${header}: ${value}`);
  expect(headers.join('\n')).toContain(account.sends);
});
