/**
 * The MCP port: one session per call with the official client, over Streamable HTTP and our guarded fetch only. What a
 * server says about itself, its schemas and results included, is data of strangers: bounded, never compiled, never
 * obeyed.
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
import { shortenText } from '../graph/cut-text.ts';
import { requireFlat, storable } from '../graph/storable.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { abortFailure, NothingSentError, retryableStatus } from '../nodes/failure.ts';
import { NodeError } from '../nodes/kind.ts';
import type { CredentialRef, McpPort, McpRequest, McpResult } from '../nodes/tools.ts';
import type { ByteLease } from '../shares/byte-budget.ts';
import { editExactly } from './exact-body.ts';
import { notConnected, type GuardedAgent } from './guarded-agent.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { toDefinition, findTool, listUsableTools } from './mcp-tools.ts';
import type { Asking, ServerTool } from './mcp-tools.ts';
import { fingerprintOf, requireUnchanged } from './tool-fingerprint.ts';

export const MAX_RESULT_BYTES = 1024 * 1024;
const MAX_MESSAGE = 300;
/** The node's own deadline comes first; the client needs a number. */
const REQUEST_MS = 600_000;
/** How long a server may think about which versions it speaks: some never answer what they do not know. */
const DISCOVER_MS = 10_000;
/** How long the end of a session may hold the node up. */
const FAREWELL_MS = 1_000;

/** What a session carries of a credential. */
interface Account {
  readonly baseUrl: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** @throws NothingSentError `credential_host_not_allowed` */
  requireHost(url: string): void;
}
/** Opens credentials; throws what CredentialsPort throws. */
interface Accounts {
  open(ref: CredentialRef): Promise<Account>;
}

/** Accepts everything: the schemas are the server's, and the client's own validator would compile them into code. */
const noValidation: jsonSchemaValidator = {
  getValidator: <T>() => {
    return (input: unknown): JsonSchemaValidatorResult<T> => {
      return { valid: true, data: input as T, errorMessage: undefined };
    };
  },
};

/** A fetch that carries the account, to its hosts alone, and that opens no stream for the server to speak first. */
function sessionFetch(
  { agent, lease = null, ownHeaders = () => ({}) }: Outside,
  account: Account | null,
): typeof globalThis.fetch {
  const send = guardedFetch(agent, { whose: 'MCP server', lease });
  // The list of tools stays as the server wrote it: tools are pinned by its hash.
  const sendCall = guardedFetch(agent, { whose: 'MCP server', lease, editOf: editExactly });
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

function nodeErrorIn(error: unknown): NodeError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof NodeError) return at;
  }
  return null;
}

/** What went wrong, for the node. `began`: the call of the tool had left, so its outcome may be unknown. */
function failureOf(error: unknown, began: boolean, signal: AbortSignal): Error {
  if (signal.aborted) return abortFailure(signal);
  const known = nodeErrorIn(error);
  if (known !== null) return known;
  const fail = (code: string, message: string, more: { retryable?: boolean; status?: number } = {}) =>
    began ? new NodeError(code, message, more) : new NothingSentError(code, message, more);
  const before = notConnected(error);
  if (before !== null) {
    const code = before.refused ? 'destination_not_allowed' : 'connection_failed';
    return fail(code, before.message, { retryable: !before.refused });
  }
  if (error instanceof ProtocolError)
    return fail('mcp_error', `The MCP server refused: ${shortenText(error.message, MAX_MESSAGE)}`);
  if (error instanceof SdkHttpError && error.status >= 400) {
    const { status } = error;
    return fail('mcp_error', `The MCP server answered ${status}`, {
      status,
      retryable: retryableStatus(status),
    });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return fail('mcp_error', 'The MCP server sent an answer that cannot be read');
  return fail('network_error', 'The connection to the MCP server failed', { retryable: true });
}

/** Structured content and the text of it are one result in two spellings, of which the larger counts. */
function resultOf(answer: Awaited<ReturnType<Client['callTool']>>, tool: ServerTool): McpResult {
  const result: McpResult = {
    fingerprint: fingerprintOf(tool),
    content: answer.content as unknown as Json,
    structured: (answer.structuredContent ?? null) as Json,
    isError: answer.isError === true,
  };
  try {
    requireFlat(result);
  } catch (error) {
    throw new NodeError('mcp_error', 'The result of the MCP tool is nested too deeply', { cause: error });
  }
  if ([result.content, result.structured].some((part) => JSON.stringify(part).length > MAX_RESULT_BYTES)) {
    throw new NodeError('response_too_large', 'The result of the MCP tool is larger than 1 MB');
  }
  return storable(result);
}

function addressOf(request: Pick<McpRequest, 'serverUrl'>, account: Account | null): URL {
  const text = request.serverUrl ?? account?.baseUrl ?? null;
  if (text === null || !URL.canParse(text)) {
    throw new NothingSentError('invalid_url', 'Neither the node nor its credential names an MCP server');
  }
  return new URL(text);
}

/** What a session needs of the outside. */
interface Outside {
  readonly agent: GuardedAgent;
  readonly accounts: Accounts;
  /** How long a server may think about which versions it speaks. */
  readonly discoverMs?: number;
  /** Counts the bytes of answers; null: nobody counts them. */
  readonly lease?: ByteLease | null;
  /** Headers that the service adds to every request. */
  readonly ownHeaders?: () => Readonly<Record<string, string>>;
}
type Server = Pick<McpRequest, 'serverUrl' | 'credential' | 'signal'>;

interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** The question which versions a server speaks was not answered: servers of before 2026 do not know it. */
const isUndiscovered = (error: unknown): boolean =>
  error instanceof SdkError &&
  (error.code === SdkErrorCode.EraNegotiationFailed || error.code === SdkErrorCode.RequestTimeout);

/** Connects; `mode` is how the version of the protocol is agreed on. */
async function connectIn(
  mode: 'auto' | 'legacy',
  { account, outside }: { readonly account: Account | null; readonly outside: Outside },
  request: Server,
): Promise<Connection> {
  const { discoverMs = DISCOVER_MS } = outside;
  const transport = new StreamableHTTPClientTransport(addressOf(request, account), {
    fetch: sessionFetch(outside, account),
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
    if (mode === 'legacy' || request.signal.aborted || notConnected(error) !== null || !isUndiscovered(error))
      throw error;
    return connectIn('legacy', { account, outside }, request);
  }
  return { client, transport };
}

/** One session with a server: connects, does the work, says goodbye. */
async function inSession<T>(
  outside: Outside,
  request: Server,
  work: (session: { readonly client: Client; readonly began: () => void }) => Promise<T>,
): Promise<T> {
  const { signal } = request;
  const account = request.credential === null ? null : await outside.accounts.open(request.credential);
  let began = false;
  let connection: Connection | null = null;
  try {
    connection = await connectIn('auto', { account, outside }, request);
    return await work({ client: connection.client, began: () => void (began = true) });
  } catch (error) {
    throw failureOf(error, began, signal);
  } finally {
    if (connection !== null) await leave(connection);
  }
}

async function leave({ client, transport }: Connection): Promise<void> {
  const farewell = transport.sessionId === undefined ? null : transport.terminateSession();
  await Promise.race([farewell, pause(FAREWELL_MS, null, { ref: false })]).catch(() => undefined);
  await client.close().catch(() => undefined);
}

const askingFor = (signal: AbortSignal): Asking => ({ signal, timeout: REQUEST_MS });

/** A session with one tool of a server. */
const withTool = <T>(
  outside: Outside,
  request: Omit<McpRequest, 'arguments' | 'beforeCall'>,
  work: (session: {
    readonly client: Client;
    readonly tool: ServerTool;
    readonly began: () => void;
  }) => Promise<T>,
): Promise<T> =>
  inSession(outside, request, async ({ client, began }) => {
    const tool = await findTool(client, request.tool, askingFor(request.signal));
    requireUnchanged(tool, request.fingerprint);
    return work({ client, tool, began });
  });

/** What a server offers, as it says it, for a person who chooses. Throws as `McpPort.describe` does. */
export const listMcpTools = (
  outside: Outside,
  server: Server,
): Promise<
  readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonObject }[]
> =>
  inSession(outside, server, async ({ client }) =>
    (await listUsableTools(client, askingFor(server.signal))).map(({ name, description, inputSchema }) =>
      storable({ name, description, inputSchema }),
    ),
  );

/** The MCP port over guarded connections; `accounts` opens the credentials. */
export function mcpPort(outside: Outside): McpPort {
  return {
    call: (request) =>
      withTool(outside, request, async ({ client, tool, began }) => {
        const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
        await request.beforeCall(readOnlyHint === true || idempotentHint === true);
        began();
        const given = { name: request.tool, arguments: request.arguments };
        const options = { ...askingFor(request.signal), toolDefinition: toDefinition(tool) };
        return resultOf(await client.callTool(given, options), tool);
      }),
    describe: (request) =>
      withTool(outside, request, ({ tool }) => {
        const { description, inputSchema } = tool;
        return Promise.resolve({
          ...storable({ description, inputSchema }),
          fingerprint: fingerprintOf(tool),
        });
      }),
  };
}
