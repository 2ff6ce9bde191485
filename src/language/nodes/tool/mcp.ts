/** Tool of kind `mcp`: one tool of a Model Context Protocol server over HTTP (SPEC DEF-2.2). */
import { z } from 'zod';
import { cutText } from '../../graph/values/cut-text.ts';
import { countJsonChars } from '../../graph/template/render-budget.ts';
import { isObject } from '../../graph/values/value.ts';
import { BY_CREDENTIAL, defineSender, makeEffect, type PatternOf } from '../effect.ts';
import { NodeError } from '../kind.ts';
import { NothingSentError, toOutcomeUnknown } from '../failure.ts';
import { discriminator, addProblem, jsonObject, orNull } from '../read-config.ts';
import type { McpResult } from '../tools.ts';
import { ABOUT_TOOL_CREDENTIAL } from '../fields.ts';

/** Options of stdio servers: a tenant's command must never run (SPEC SEC-F17). */
const STDIO_KEYS = ['command', 'args', 'env', 'cwd'] as const;
const MAX_NAME = 128;

const shape = z.looseObject({
  kind: discriminator('mcp'),
  server_url: orNull(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2_048)).meta({
    description: "URL of the MCP server; null: that of the credential's account",
  }),
  tool: z.string().min(1).max(MAX_NAME).meta({ description: 'Name of the tool of the server' }),
  arguments: orNull(jsonObject)
    .transform((given) => given ?? {})
    .meta({ description: 'Arguments of the tool by name; values may be templates' }),
  credential_id: orNull(z.uuid()).meta({ description: ABOUT_TOOL_CREDENTIAL }),
  fingerprint: orNull(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')).meta({
    description:
      "SHA-256 of the server's definition of the tool, in hex: the call fails after a change; null: not checked",
  }),
});

export const mcpTool = shape.superRefine((given, ctx) => {
  for (const key of STDIO_KEYS) {
    if (given[key] !== undefined)
      addProblem(ctx, {
        code: 'stdio_not_allowed',
        message: 'must be an HTTP URL: only HTTP servers are supported',
        path: [key],
      });
  }
  const { transport } = given;
  if (transport !== undefined && transport !== 'streamable_http' && transport !== 'http') {
    addProblem(ctx, { code: 'stdio_not_allowed', message: 'must be streamable_http', path: ['transport'] });
  }
  if (given.server_url === null && given.credential_id === null) {
    addProblem(ctx, {
      code: 'mcp_server_missing',
      message: 'is required unless the credential has the server URL',
      path: ['server_url'],
    });
  }
  if (given.server_url !== null && /^[^/]*\/\/[^/?#]*@/.test(given.server_url)) {
    addProblem(ctx, {
      code: 'credentials_in_url',
      message: 'must not contain a username or password',
      path: ['server_url'],
    });
  }
});
type McpToolConfig = z.output<typeof mcpTool>;

function readFailureText({ content }: McpResult): string {
  const first = Array.isArray(content)
    ? content.find((part) => isObject(part) && part['type'] === 'text')
    : null;
  const text = isObject(first ?? null) ? (first as { text?: unknown }).text : null;
  return typeof text === 'string' ? cutText(text, 300) : 'no reason given';
}

/** At most once, because the annotations of its server are not known here. */
const describeMcp = ({ server_url, tool, credential_id }: McpToolConfig): PatternOf<'mcp'> => ({
  door: 'mcp',
  target: { server: server_url ?? BY_CREDENTIAL, tool },
  effect: 'at_most_once',
  credential_id,
});

/**
 * Calls the tool. Only a tool that the server declares repeatable may be retried.
 * @throws NodeError `mcp_tool_failed`, `outcome_unknown`, and the errors of the MCP port
 */
export const mcpSender = defineSender<McpToolConfig, 'mcp'>({
  describe: describeMcp,
  async prepare(call) {
    const { server_url: server, tool, fingerprint } = call.config;
    const args = call.render(call.config.arguments);
    if (!isObject(args)) throw new NodeError('invalid_input', 'The arguments must be an object');
    await call.hold(countJsonChars(args));
    return makeEffect(call, describeMcp(call.config), {
      target: { server, tool },
      request: { arguments: args, fingerprint },
      shown: { tool, arguments: args },
    });
  },
  async perform(call, { target, request, credential_id: credentialId, shown }) {
    const { organizationId } = call.identity;
    let once = false;
    let result: McpResult;
    try {
      result = await call.tools.mcp.call({
        ...request,
        serverUrl: target.server,
        tool: target.tool,
        credential: credentialId === null ? null : { organizationId, credentialId },
        signal: call.signal,
        async beforeCall(repeatable) {
          once = !repeatable;
          if (once) await call.emit.sending();
        },
      });
    } catch (error) {
      // An answer that is too large proves that the tool was called.
      const isAnswered = error instanceof NodeError && error.code === 'response_too_large';
      throw once && !isAnswered && !(error instanceof NothingSentError) ? toOutcomeUnknown(error) : error;
    }
    const data = result.structured ?? result.content;
    if (result.isError) {
      // The answer itself was a success of HTTP.
      const response = { status: 200, headers: {}, data, truncated: false };
      throw new NodeError('mcp_tool_failed', `The tool failed: ${readFailureText(result)}`, { response });
    }
    call.keepInput({ ...shown, fingerprint: result.fingerprint });
    return { outcome: 'completed', output: { data, content: result.content } };
  },
});
