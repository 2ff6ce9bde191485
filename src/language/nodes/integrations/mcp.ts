/** Any MCP server over Streamable HTTP, with its URL and an optional token or API key. */
import { describeAddress, apiKey, bearer, describeFields } from './auth-schemes.ts';
import type { AuthScheme, Integration } from './integration.ts';

const server = { server_url: describeAddress('Server URL') };

/** Adds the server's URL to the required fields of a scheme. */
function requireServer(scheme: AuthScheme): AuthScheme {
  const required = Array.isArray(scheme.schema['required']) ? scheme.schema['required'] : [];
  return { ...scheme, schema: { ...scheme.schema, required: [...required, 'server_url'] } };
}

export const mcp: Integration = {
  name: 'mcp',
  displayName: 'MCP server',
  description: 'Tools of a Model Context Protocol server, over Streamable HTTP.',
  version: '1.0.0',
  category: 'developer-tools',
  docsUrl: 'https://modelcontextprotocol.io',
  tags: ['tools'],
  baseUrl: null,
  baseUrlField: 'server_url',
  auth: [
    requireServer(bearer([], server)),
    requireServer(apiKey({ kind: 'header', name: 'x-api-key', field: 'api_key' }, server)),
    {
      type: 'none',
      required: false,
      scopes: [],
      schema: describeFields(server, ['server_url']),
      placements: [],
    },
  ],
  actions: [],
  test: null,
};
