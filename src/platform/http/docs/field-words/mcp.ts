/** Words for the MCP server; see recurring.ts for how keys are read. */

export const MCP_WORDS: Readonly<Record<string, string>> = {
  jsonrpc: 'Version of JSON-RPC',
  'JsonRpcMessage.id': 'Id of the request that the message answers; null: none',
  'JsonRpcMessage.method': 'Name of the request or notification; missing in an answer',
  'JsonRpcError.id': 'Id of the request; null when it could not be read',
  'JsonRpcErrorFields.code': 'Code of JSON-RPC',
  mcp: 'The workflow as a tool of the MCP server',
  resource: 'Address of the MCP server',
  authorization_servers: 'Issuers of the tokens that it takes; none: API keys alone',
  bearer_methods_supported: 'Where it takes tokens',
  resource_name: 'Name of the server, for people',
};
