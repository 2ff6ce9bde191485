/** OpenAPI examples of the MCP server. */
import type { RowExamples } from '../../platform/http/route.ts';

const resource = {
  resource: 'https://company.example/mcp',
  authorization_servers: ['https://company.example/identity'],
  bearer_methods_supported: ['header'],
  resource_name: 'Workflows',
};

export const MCP_EXAMPLES: RowExamples = {
  'POST /mcp': {
    request: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    replies: { 200: { jsonrpc: '2.0', id: 1 } },
  },
  'GET /.well-known/oauth-protected-resource': { replies: { 200: resource } },
  'GET /.well-known/oauth-protected-resource/mcp': { replies: { 200: resource } },
};
