/** A request to /mcp between Koa and the MCP server, which takes and gives the requests and responses of the web. */
import type { Context } from 'koa';
import type { Scope } from '../../platform/access/caller.ts';
import { VERSION } from '../../base/config/config.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { isObject, ownValue, type Json } from '../../language/graph/values/value.ts';
import { holdBody, readJson, type BodyDeps } from '../../platform/http/body.ts';
import type { Reply } from '../../platform/http/route.ts';
import { watchClient, writePiece } from '../../platform/http/write-pieces.ts';
import type { McpDeps } from './call-tool.ts';
import { answerMessage } from './server.ts';

/** Headers of the protocol, and those that its server checks. The credential stays outside of it. */
const PASSED = /^(?:accept|content-type|mcp-.*)$/;

function buildRequest(ctx: Context, body: Json): Request {
  const headers = Object.entries(ctx.headers).filter(
    (entry): entry is [string, string] => PASSED.test(entry[0]) && typeof entry[1] === 'string',
  );
  return new Request('http://mcp.internal/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: watchClient(ctx),
  });
}

/** Reads the key by which a repeated call starts no second run: a header, or `_meta.idempotency_key` of the call. */
function readKey(ctx: Context, body: Json): string | null {
  const header = ctx.get('Idempotency-Key');
  const inMeta = ownValue(ownValue(ownValue(body, 'params'), '_meta'), 'idempotency_key');
  if (header !== '') return header;
  return typeof inMeta === 'string' && inMeta !== '' ? inMeta : null;
}

async function writeStream(ctx: Context, response: Response): Promise<void> {
  ctx.respond = false;
  ctx.req.socket.setTimeout(0);
  ctx.res.writeHead(response.status, Object.fromEntries(response.headers));
  ctx.res.flushHeaders();
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? [])
      if (!(await writePiece(ctx.res, decoder.decode(piece as Uint8Array, { stream: true })))) return;
    ctx.res.end();
  } catch {
    ctx.res.destroy();
  }
}

/**
 * Serves one request of the protocol.
 * @throws ApiError 413, 415 or 422 for the body; 429 when the caller has too many calls and streams open
 */
export async function serveMcp(deps: McpDeps & BodyDeps, scope: Scope, ctx: Context): Promise<Reply | void> {
  const { value: body } = await holdBody(deps, scope.organizationId, (lease) => readJson(ctx, lease, false));
  const isCall = isObject(body) && ownValue(body, 'method') === 'tools/call';
  const release = isCall ? deps.feed.semaphore.acquire(scope) : () => undefined;
  const request = { scope, authorization: ctx.get('Authorization'), idempotencyKey: readKey(ctx, body) };
  try {
    const response = await answerMessage(deps, request, {
      http: buildRequest(ctx, body),
      message: body,
      version: VERSION,
    });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      await writeStream(ctx, response);
      return undefined;
    }
    const text = await response.text();
    const { status } = response;
    const headers = status < 400 ? {} : { 'X-Error-Code': 'mcp_message_invalid' satisfies ErrorCode };
    return text === '' ? { status, headers } : { status, headers, json: text };
  } finally {
    release();
  }
}
