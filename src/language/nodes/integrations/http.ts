/** Any HTTP service: credentials for tools of kind `http`, sent only to the hosts that each credential allows. */
import { apiKey, bearer, describeFields, describeToken } from './auth-schemes.ts';
import { COOKIE_NAME, HEADER_NAME, HEADER_PREFIX, PARAMETER_NAME } from './place-names.ts';
import type { AuthScheme, AuthType, Integration, Placement } from './integration.ts';

/** A user with a password. */
export const basic: AuthScheme = {
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
  placements: [{ kind: 'basic', username: 'username', password: 'password' }],
};

/** A key in a place whose name is a field of the credential. */
function describeNamedKey(
  type: AuthType,
  { title, pattern, kind }: { title: string; pattern: string; kind: 'query' | 'cookie' },
): AuthScheme {
  const name = { type: 'string', title, pattern };
  const placement: Placement = { kind, name: 'api_key', nameField: 'name', field: 'api_key' };
  return {
    type,
    required: true,
    scopes: [],
    schema: describeFields({ name, api_key: describeToken('API key') }, ['name', 'api_key']),
    placements: [placement],
  };
}

/** AWS Signature Version 4, for one service of one region. */
const awsKey: AuthScheme = {
  type: 'aws_sigv4',
  required: true,
  scopes: [],
  schema: describeFields(
    {
      access_key_id: { type: 'string', title: 'Access key ID', pattern: '^[A-Za-z0-9]{4,128}$' },
      secret_access_key: describeToken('Secret access key'),
      session_token: describeToken('Session token'),
      region: { type: 'string', title: 'Region', pattern: '^[a-z0-9-]{1,64}$' },
      service: { type: 'string', title: 'Service, such as s3', pattern: '^[a-z0-9-]{1,64}$' },
    },
    ['access_key_id', 'secret_access_key', 'region', 'service'],
  ),
  placements: [{ kind: 'aws' }],
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
      {
        kind: 'header',
        name: 'x-api-key',
        nameField: 'header_name',
        prefixField: 'prefix',
        field: 'api_key',
      },
      {
        header_name: { type: 'string', title: 'Header', pattern: HEADER_NAME },
        prefix: { type: 'string', title: 'Text before the key', pattern: HEADER_PREFIX },
      },
    ),
    describeNamedKey('query', { title: 'Query parameter', pattern: PARAMETER_NAME, kind: 'query' }),
    describeNamedKey('cookie', { title: 'Cookie', pattern: COOKIE_NAME, kind: 'cookie' }),
    awsKey,
  ],
  actions: [],
  test: null,
};
