/** Any HTTP service: credentials for tools of kind `http`, sent only to the hosts that each credential allows. */
import { apiKey, bearer, describeFields } from './auth-schemes.ts';
import type { AuthScheme, Integration } from './integration.ts';

/** Names of headers for keys; a credential cannot set a header of the connection. */
const HEADER_NAME = '^(?:[Xx]-[A-Za-z0-9-]{1,60}|[Aa]uthorization|[Aa]pi-?[Kk]ey|[Tt]oken)$';

const basic: AuthScheme = {
  type: 'basic',
  required: true,
  scopes: [],
  schema: describeFields(
    {
      username: { type: 'string', title: 'User', minLength: 1, maxLength: 255, pattern: '^[^:]+$' },
      password: { type: 'string', title: 'Password', minLength: 4, maxLength: 1024, 'x-secret': true },
    },
    ['username', 'password'],
  ),
  placement: { kind: 'basic', username: 'username', password: 'password' },
};

export const http: Integration = {
  name: 'http',
  displayName: 'HTTP',
  description: 'An account at any HTTP service, for HTTP requests.',
  version: '1.0.0',
  category: 'developer-tools',
  docsUrl: null,
  tags: ['webhook', 'rest'],
  baseUrl: null,
  baseUrlField: null,
  auth: [
    bearer([]),
    basic,
    apiKey(
      { kind: 'header', name: 'x-api-key', nameField: 'header_name', field: 'api_key' },
      { header_name: { type: 'string', title: 'Header', pattern: HEADER_NAME } },
    ),
  ],
  actions: [],
  test: null,
};
