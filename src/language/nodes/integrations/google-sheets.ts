/** Google Sheets: cells of spreadsheets, for people who sign in and for service accounts. */
import { describeCatalogAction } from './actions.ts';
import { oauth2, serviceAccount } from './auth-schemes.ts';
import { GOOGLE, GOOGLE_RULES } from './google.ts';
import type { Integration } from './integration.ts';

const spreadsheet_id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' };
const range = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  description: 'In A1 notation, such as Orders!A1:D',
};
const values = { type: 'array', items: { type: 'array' }, description: 'Rows of cells' };
// As if a person typed them.
const fixedQuery = { valueInputOption: 'USER_ENTERED' };
const SCOPES = ['https://www.googleapis.com/auth/spreadsheets'];

export const googleSheets: Integration = {
  name: 'google_sheets',
  displayName: 'Google Sheets',
  description: 'Reads and writes cells of Google spreadsheets.',
  version: '1.0.0',
  category: 'productivity',
  docsUrl: 'https://developers.google.com/workspace/sheets/api/reference/rest',
  tags: ['tables', 'google'],
  baseUrl: 'https://sheets.googleapis.com/v4/spreadsheets',
  baseUrlField: null,
  auth: [oauth2(GOOGLE, SCOPES), serviceAccount(GOOGLE, SCOPES)],
  actions: [
    describeCatalogAction({
      name: 'get_values',
      displayName: 'Read cells',
      description: 'Reads the cells of a range.',
      method: 'GET',
      path: '/{spreadsheet_id}/values/{range}',
      input: { spreadsheet_id, range, majorDimension: { type: 'string', enum: ['ROWS', 'COLUMNS'] } },
      required: ['spreadsheet_id', 'range'],
      output: { range: { type: 'string' }, values },
    }),
    describeCatalogAction({
      name: 'append_rows',
      displayName: 'Append rows',
      description: 'Adds rows below a table.',
      method: 'POST',
      path: '/{spreadsheet_id}/values/{range}:append',
      input: { spreadsheet_id, range, values },
      required: ['spreadsheet_id', 'range', 'values'],
      output: { tableRange: { type: 'string' }, updates: { type: 'object' } },
      request: { fixedQuery: { ...fixedQuery, insertDataOption: 'INSERT_ROWS' } },
    }),
    describeCatalogAction({
      name: 'update_values',
      displayName: 'Write cells',
      description: 'Replaces the cells of a range.',
      method: 'PUT',
      path: '/{spreadsheet_id}/values/{range}',
      input: { spreadsheet_id, range, values },
      required: ['spreadsheet_id', 'range', 'values'],
      output: { updatedRange: { type: 'string' }, updatedCells: { type: 'integer' } },
      idempotent: true,
      request: { fixedQuery },
    }),
    describeCatalogAction({
      name: 'clear_values',
      displayName: 'Clear cells',
      description: 'Empties the cells of a range.',
      method: 'POST',
      path: '/{spreadsheet_id}/values/{range}:clear',
      input: { spreadsheet_id, range },
      required: ['spreadsheet_id', 'range'],
      output: { clearedRange: { type: 'string' } },
      idempotent: true,
    }),
  ],
  answers: GOOGLE_RULES,
  test: null,
};
