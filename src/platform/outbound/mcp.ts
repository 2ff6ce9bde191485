/**
 * The MCP port: one session per call with the official client, over Streamable HTTP and our guarded fetch. Everything from a
 * server, including its schemas, is untrusted: it is limited in size, never compiled and never obeyed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client';
import { shortenText } from '../../language/graph/values/cut-text.ts';
import { requireBoundedDepth, toStorable } from '../../language/graph/values/storable.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import { toAbortError, NothingSentError, isRetryableStatus } from '../../language/nodes/failure.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { CredentialRef, McpPort, McpRequest, McpResult } from '../../language/nodes/tools.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import { createExactEdit } from './exact-body.ts';
import { findCause } from './find-cause.ts';
import { findNotConnected, type GuardedAgent } from './guarded-agent.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { toDefinition, findTool, listUsableTools } from './mcp-tools.ts';
import type { ServerTool, SessionOptions } from './mcp-tools.ts';
import { computeFingerprint, requireUnchanged } from './tool-fingerprint.ts';

export const MAX_RESULT_BYTES = 1024 * 1024;
const MAX_MESSAGE = 300;
/** The client requires a timeout; the node's deadline comes first. */
const REQUEST_MS = 600_000;
/** Time limit of the version negotiation: some servers never respond to an unknown request. */
const DISCOVER_MS = 10_000;
/** Longest time that ending a session may delay the node. */
const CLOSE_MS = 1_000;

/** The part of an opened credential that a session uses. */
interface Account {
  readonly baseUrl: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** @throws NothingSentError `credential_host_not_allowed` */
  requireHost(url: string): void;
}
/** Opens credentials. @throws as CredentialsPort */
interface Accounts {
  open(ref: CredentialRef): Promise<Account>;
}

/** Accepts everything, because the client's own validator would compile the server's schemas into code. */
const noValidation: jsonSchemaValidator = {
  getValidator: <T>() => {
    return (input: unknown): JsonSchemaValidatorResult<T> => {
      return { valid: true, data: input as T, errorMessage: undefined };
    };
  },
};

/** Creates a fetch that sends the account's headers to its allowed hosts only. It refuses GET, so the server cannot push. */
function createSessionFetch(
  { agent, lease = null, ownHeaders = () => ({}) }: McpDeps,
  account: Account | null,
): typeof globalThis.fetch {
  const send = guardedFetch(agent, { peer: 'MCP server', lease });
  // Only calls are edited: tools are pinned by the hash of the list as the server wrote it.
  const sendCall = guardedFetch(agent, { peer: 'MCP server', lease, createEdit: createExactEdit });
  return async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET') return new Response(null, { status: 405 });
    const url = input instanceof Request ? input.url : String(input);
    account?.requireHost(url);
    const headers = new Headers(init?.headers);
    const added = { ...account?.headers, ...ownHeaders() };
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    const isCall = typeof init?.body === 'string' && /"method":"tools\/call"/.test(init.body);
    return (isCall ? sendCall : send)(url, { ...init, headers });
  };
}

/** Converts an error. @param isSent the tool call had been sent, so its outcome may be unknown */
function toNodeError(error: unknown, isSent: boolean, signal: AbortSignal): Error {
  if (signal.aborted) return toAbortError(signal);
  const known = findCause(error, (cause) => cause instanceof NodeError);
  if (known !== null) return known;
  const fail = (code: string, message: string, more: { retryable?: boolean; status?: number } = {}) =>
    isSent ? new NodeError(code, message, more) : new NothingSentError(code, message, more);
  const before = findNotConnected(error);
  if (before !== null) {
    const code = before.refused ? 'destination_not_allowed' : 'connection_failed';
    return fail(code, before.message, { retryable: !before.refused });
  }
  if (error instanceof ProtocolError)
    return fail('mcp_error', `The MCP server returned an error: ${shortenText(error.message, MAX_MESSAGE)}`);
  if (error instanceof SdkHttpError && error.status >= 400) {
    const { status } = error;
    return fail('mcp_error', `The MCP server responded with HTTP ${status}`, {
      status,
      retryable: isRetryableStatus(status),
    });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return fail('mcp_error', 'The MCP server sent an invalid response');
  return fail('network_error', 'The connection to the MCP server failed', { retryable: true });
}

/** Structured content and text content are the same result twice, so the larger one must fit the limit. */
function toResult(answer: Awaited<ReturnType<Client['callTool']>>, tool: ServerTool): McpResult {
  const result: McpResult = {
    fingerprint: computeFingerprint(tool),
    content: answer.content as unknown as Json,
    structured: (answer.structuredContent ?? null) as Json,
    isError: answer.isError === true,
  };
  try {
    requireBoundedDepth(result);
  } catch (error) {
    throw new NodeError('mcp_error', 'The result of the MCP tool is nested too deeply', { cause: error });
  }
  if ([result.content, result.structured].some((part) => JSON.stringify(part).length > MAX_RESULT_BYTES)) {
    throw new NodeError('response_too_large', 'The result of the MCP tool is larger than 1 MB');
  }
  return toStorable(result);
}

function toServerUrl(request: Pick<McpRequest, 'serverUrl'>, account: Account | null): URL {
  const text = request.serverUrl ?? account?.baseUrl ?? null;
  if (text === null || !URL.canParse(text)) {
    throw new NothingSentError(
      'invalid_url',
      'Neither the node nor its credential has the URL of an MCP server',
    );
  }
  return new URL(text);
}

interface McpDeps {
  readonly agent: GuardedAgent;
  readonly accounts: Accounts;
  /** Time limit of the version negotiation; default: 10 s. */
  readonly discoverMs?: number;
  /** Counts the bytes of responses; null: not counted. */
  readonly lease?: ByteLease | null;
  /** Headers that the service adds to every request. */
  readonly ownHeaders?: () => Readonly<Record<string, string>>;
}
type Server = Pick<McpRequest, 'serverUrl' | 'credential' | 'signal'>;

interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** True when the server did not answer the version negotiation, which servers before 2026 do not know. */
const isNegotiationUnknown = (error: unknown): boolean =>
  error instanceof SdkError &&
  (error.code === SdkErrorCode.EraNegotiationFailed || error.code === SdkErrorCode.RequestTimeout);

/** @param mode how the protocol version is negotiated */
async function connect(
  mode: 'auto' | 'legacy',
  account: Account | null,
  deps: McpDeps,
  request: Server,
): Promise<Connection> {
  const { discoverMs = DISCOVER_MS } = deps;
  const transport = new StreamableHTTPClientTransport(toServerUrl(request, account), {
    fetch: createSessionFetch(deps, account),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = new Client(
    { name: 'workflow-automation-service', version: '1.0.0' },
    {
      jsonSchemaValidator: noValidation,
      versionNegotiation: { mode, probe: { timeoutMs: discoverMs } },
      inputRequired: { autoFulfill: false },
    },
  );
  try {
    await client.connect(transport, { signal: request.signal, timeout: REQUEST_MS });
  } catch (error) {
    await client.close().catch(() => undefined);
    if (
      mode === 'legacy' ||
      request.signal.aborted ||
      findNotConnected(error) !== null ||
      !isNegotiationUnknown(error)
    )
      throw error;
    return connect('legacy', account, deps, request);
  }
  return { client, transport };
}

/** Runs `work` in a session, which is ended afterwards. */
async function withSession<T>(
  deps: McpDeps,
  request: Server,
  work: (session: { readonly client: Client; readonly markSent: () => void }) => Promise<T>,
): Promise<T> {
  const { signal } = request;
  const account = request.credential === null ? null : await deps.accounts.open(request.credential);
  let isSent = false;
  let connection: Connection | null = null;
  try {
    connection = await connect('auto', account, deps, request);
    return await work({ client: connection.client, markSent: () => void (isSent = true) });
  } catch (error) {
    throw toNodeError(error, isSent, signal);
  } finally {
    if (connection !== null) await closeSession(connection);
  }
}

async function closeSession({ client, transport }: Connection): Promise<void> {
  const terminated = transport.sessionId === undefined ? null : transport.terminateSession();
  await Promise.race([terminated, pause(CLOSE_MS, null, { ref: false })]).catch(() => undefined);
  await client.close().catch(() => undefined);
}

const toOptions = (signal: AbortSignal): SessionOptions => ({ signal, timeout: REQUEST_MS });

/** Runs `work` in a session with one tool of the server. */
const withTool = <T>(
  deps: McpDeps,
  request: Omit<McpRequest, 'arguments' | 'beforeCall'>,
  work: (session: {
    readonly client: Client;
    readonly tool: ServerTool;
    readonly markSent: () => void;
  }) => Promise<T>,
): Promise<T> =>
  withSession(deps, request, async ({ client, markSent }) => {
    const tool = await findTool(client, request.tool, toOptions(request.signal));
    requireUnchanged(tool, request.fingerprint);
    return work({ client, tool, markSent });
  });

/** Lists the tools of a server for a person to choose from. @throws as `McpPort.describe` */
export const listMcpTools = (
  deps: McpDeps,
  server: Server,
): Promise<
  readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonObject }[]
> =>
  withSession(deps, server, async ({ client }) =>
    (await listUsableTools(client, toOptions(server.signal))).map(({ name, description, inputSchema }) =>
      toStorable({ name, description, inputSchema }),
    ),
  );

/** Creates the MCP port. */
export function mcpPort(deps: McpDeps): McpPort {
  return {
    call: (request) =>
      withTool(deps, request, async ({ client, tool, markSent }) => {
        const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
        await request.beforeCall(readOnlyHint === true || idempotentHint === true);
        markSent();
        const given = { name: request.tool, arguments: request.arguments };
        const options = { ...toOptions(request.signal), toolDefinition: toDefinition(tool) };
        return toResult(await client.callTool(given, options), tool);
      }),
    describe: (request) =>
      withTool(deps, request, ({ tool }) => {
        const { description, inputSchema } = tool;
        return Promise.resolve({
          ...toStorable({ description, inputSchema }),
          fingerprint: computeFingerprint(tool),
        });
      }),
  };
}
