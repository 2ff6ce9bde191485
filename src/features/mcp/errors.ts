/** Errors before a request reaches the MCP server, as JSON-RPC writes them. */
import { z } from 'zod';
import type { ErrorDialect } from '../../platform/http/error-dialect.ts';
import { readableMessage } from '../../platform/http/fields.ts';

/** The range that JSON-RPC 2.0 leaves to servers. */
const SERVER_ERROR = -32_000;

/** The path of the metadata of the server as a protected resource (RFC 9728, 3.1). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

export const rpcError = z
  .looseObject({
    jsonrpc: z.literal('2.0').meta({ description: 'Version of JSON-RPC' }),
    id: z
      .union([z.string(), z.number()])
      .nullish()
      .meta({ description: 'Id of the request; null when it could not be read' }),
    error: z
      .looseObject({ code: z.int().meta({ description: 'Code of JSON-RPC' }), message: readableMessage })
      .meta({ id: 'JsonRpcErrorFields' })
      .meta({ description: 'Reason of the failure; null without one' }),
  })
  .meta({ id: 'JsonRpcError' });

export const mcpErrors: ErrorDialect = {
  schema: rpcError,
  example: {
    jsonrpc: '2.0',
    error: { code: SERVER_ERROR, message: 'Invalid API key' },
  },
  toStatus: (status) => (status === 422 ? 400 : status),
  // The message was not read: the schema of the protocol has no null as an id, unlike JSON-RPC 2.0.
  write: ({ status, code, message }, origin) => ({
    body: { jsonrpc: '2.0', error: { code: SERVER_ERROR, message, data: { code } } },
    headers:
      status === 401
        ? { 'WWW-Authenticate': `Bearer resource_metadata="${origin}${RESOURCE_METADATA_PATH}"` }
        : {},
  }),
};
