/** Routes of the MCP server, and its metadata as a protected resource (RFC 9728). */
import type { Context } from 'koa';
import { z } from 'zod';
import type { Config } from '../../base/config/config.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import type { BodyDeps } from '../../platform/http/body.ts';
import type { McpDeps } from './call-tool.ts';
import { mcpErrors, RESOURCE_METADATA_PATH, rpcError } from './errors.ts';
import { MAX_KEY_LENGTH } from '../../engine/runs/accept/start.ts';
import { serveMcp } from './serve.ts';

export type McpRouteDeps = McpDeps & BodyDeps & { readonly config: Config };

const route = routesFor<McpRouteDeps>();

const rpcMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0').meta({ description: 'Version of JSON-RPC' }),
    id: z
      .union([z.string(), z.number()])
      .nullable()
      .optional()
      .meta({ description: 'Id of the request that the message answers; null: none' }),
    method: z
      .string()
      .optional()
      .meta({ description: 'Name of the request or notification; missing in an answer' }),
  })
  .meta({ id: 'JsonRpcMessage' });

const protectedResource = z
  .looseObject({
    resource: z.string().meta({ description: 'Address of the MCP server' }),
    authorization_servers: z
      .array(z.string())
      .meta({ description: 'Issuers of the tokens that it takes; none: API keys alone' }),
    bearer_methods_supported: z.array(z.string()).meta({ description: 'Where it takes tokens' }),
    resource_name: z.string().meta({ description: 'Name of the server, for people' }),
  })
  .meta({ id: 'ProtectedResource' });

const describeResource = ({ config }: McpRouteDeps, ctx: Context): z.output<typeof protectedResource> => ({
  resource: `${config.appUrl ?? ctx.origin}/mcp`,
  authorization_servers: config.auth.issuer === undefined ? [] : [config.auth.issuer],
  bearer_methods_supported: ['header'],
  resource_name: 'Workflows',
});

const buildMetadata = (path: string, operationId: string): Route<McpRouteDeps> =>
  route({
    method: 'GET',
    path,
    tag: 'mcp',
    operationId,
    summary: 'Find who issues tokens for the MCP server (RFC 9728)',
    access: 'public',
    replies: { 200: protectedResource },
    handle: async ({ deps, ctx }) => ({ status: 200, body: describeResource(deps, ctx) }),
  });

export const mcpRoutes: readonly Route<McpRouteDeps>[] = [
  route({
    method: 'POST',
    path: '/mcp',
    tag: 'mcp',
    operationId: 'callMcp',
    summary: 'Send a message to the MCP server, whose tools are workflows',
    access: 'organization',
    infersOrganization: true,
    errors: mcpErrors,
    isGated: true,
    headers: {
      'Idempotency-Key': {
        description: 'Calls of a tool with the same key and arguments within 24 hours start one run.',
        minLength: 1,
        maxLength: MAX_KEY_LENGTH,
      },
      'Mcp-Protocol-Version': 'The version of the protocol that the client speaks',
    },
    rawBody: 'A JSON-RPC message of the Model Context Protocol',
    replies: {
      200: { events: rpcMessage, json: rpcMessage },
      202: 'empty',
      400: rpcError,
      404: rpcError,
      406: rpcError,
      413: rpcError,
      415: rpcError,
    },
    handle: ({ deps, scope, ctx }) => serveMcp(deps, scope, ctx),
  }),
  buildMetadata('/.well-known/oauth-protected-resource', 'getProtectedResource'),
  buildMetadata(RESOURCE_METADATA_PATH, 'getMcpProtectedResource'),
];
