/** QuickBooks Online: customers, invoices and payments of a company. */
import { describeCatalogAction } from './actions.ts';
import { oauth2 } from './auth-schemes.ts';
import type { Action, Integration, OAuthProvider } from './integration.ts';
import { all, isSuccess, tooMany } from './service-rules.ts';

const id = { type: 'string', pattern: '^[0-9]{1,20}$' };
const lines = {
  type: 'array',
  items: { type: 'object' },
  minItems: 1,
  maxItems: 500,
  description: '{Amount, DetailType, SalesItemLineDetail}, as QuickBooks documents them',
};
const date = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
// The version of fields that all companies have; older ones answer as it does ("Minor versions").
const fixedQuery = { minorversion: '75' };
// Without it some reads are XML.
const headers = { accept: 'application/json' };
const SCOPES = ['com.intuit.quickbooks.accounting'];

const provider: OAuthProvider = {
  authorizationUrl: 'https://appcenter.intuit.com/connect/oauth2',
  tokenUrl: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
  scopeSeparator: ' ',
  clientAuthentication: 'basic',
};
const company = { realm_id: { type: 'string', title: 'Company ID', pattern: '^[0-9]{1,20}$' } };

/** A creation: a repeated `requestid` gives the answer of the first request, and nothing is created again. */
const describeCreation = (
  form: Omit<Parameters<typeof describeCatalogAction>[0], 'method' | 'idempotent'>,
): Action =>
  describeCatalogAction({
    ...form,
    method: 'POST',
    idempotent: true,
    request: { ...form.request, fixedQuery, headers, repetitionKey: { in: 'query', name: 'requestid' } },
  });

export const quickbooks: Integration = {
  name: 'quickbooks',
  displayName: 'QuickBooks',
  description: 'Reads and creates customers, invoices and payments of QuickBooks Online.',
  version: '1.0.0',
  category: 'finance',
  docsUrl: 'https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/invoice',
  tags: ['accounting', 'invoices'],
  baseUrl: 'https://quickbooks.api.intuit.com/v3/company/{realm_id}',
  baseUrlField: null,
  auth: [oauth2(provider, SCOPES, {}, company)],
  actions: [
    describeCatalogAction({
      name: 'query',
      displayName: 'Query',
      description: "Finds records: select * from Invoice where Balance > '0' startposition 1 maxresults 100.",
      method: 'GET',
      path: '/query',
      input: { query: { type: 'string', minLength: 1, maxLength: 4_000 } },
      required: ['query'],
      output: { QueryResponse: { type: 'object' }, time: { type: 'string' } },
      request: { fixedQuery, headers },
    }),
    describeCatalogAction({
      name: 'get_invoice',
      displayName: 'Get invoice',
      description: 'Reads an invoice.',
      method: 'GET',
      path: '/invoice/{invoice_id}',
      input: { invoice_id: id },
      required: ['invoice_id'],
      output: { Invoice: { type: 'object' } },
      request: { fixedQuery, headers },
    }),
    describeCreation({
      name: 'create_customer',
      displayName: 'Create customer',
      description: 'Creates a customer.',
      path: '/customer',
      input: {
        DisplayName: { type: 'string', minLength: 1, maxLength: 500 },
        CompanyName: { type: 'string', maxLength: 100 },
        email: { type: 'string', maxLength: 100 },
        BillAddr: { type: 'object' },
      },
      required: ['DisplayName'],
      output: { Customer: { type: 'object' } },
      request: { bodyPaths: { email: ['PrimaryEmailAddr', 'Address'] } },
    }),
    describeCreation({
      name: 'create_invoice',
      displayName: 'Create invoice',
      description: 'Creates an invoice.',
      path: '/invoice',
      input: {
        customer_id: id,
        Line: lines,
        DocNumber: { type: 'string', maxLength: 21 },
        TxnDate: date,
        DueDate: date,
        email: { type: 'string', maxLength: 100 },
        PrivateNote: { type: 'string', maxLength: 4_000 },
      },
      required: ['customer_id', 'Line'],
      output: { Invoice: { type: 'object' } },
      request: { bodyPaths: { customer_id: ['CustomerRef', 'value'], email: ['BillEmail', 'Address'] } },
    }),
    describeCreation({
      name: 'create_payment',
      displayName: 'Create payment',
      description: 'Records a payment of a customer.',
      path: '/payment',
      input: { customer_id: id, TotalAmt: { type: 'number', minimum: 0 }, TxnDate: date, Line: lines },
      required: ['customer_id', 'TotalAmt'],
      output: { Payment: { type: 'object' } },
      request: { bodyPaths: { customer_id: ['CustomerRef', 'value'] } },
    }),
  ],
  answers: {
    // "200 OK: However, the response body may contain a <Fault> element" (Intuit, "Error codes").
    failures: [
      {
        when: all(isSuccess, { left: '{{response.data.Fault}}', op: 'exists' }),
        code: 'integration_error',
        message: '{{response.data.Fault.Error[0].Message}}: {{response.data.Fault.Error[0].Detail}}',
      },
    ],
    // 500 requests a minute ("Throttling").
    declines: [tooMany(60)],
  },
  test: { path: '/query?query=select%20*%20from%20CompanyInfo&minorversion=75', headers },
};
