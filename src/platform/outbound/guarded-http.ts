/** The HTTP port of nodes: one request with its redirects; each hop is checked, size and time are limited. */
import { Readable } from 'node:stream';
import { errors, request } from 'undici';
import type { Agent, Dispatcher } from 'undici';
import { toStorable } from '../../language/graph/values/storable.ts';
import { toAbortError, NothingSentError } from '../../language/nodes/failure.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { HttpPort, HttpRequest, HttpResponse, StreamedBody } from '../../language/nodes/tools.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import { AnswerBytes, parseAnnouncedBytes } from './answer-bytes.ts';
import { isPlainText, readContent } from './answer-content.ts';
import { notDecodable } from './body-decoder.ts';
import { decodeBody, isDecodable, WITHOUT_BODY } from './decoded-body.ts';
import { findNotConnected, NotConnectedError } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';
import type { OrganizationAgents } from './organization-agents.ts';

/** Decoded bytes of a response (SPEC SEC-F14). */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** SPEC SEC-F09. */
export const MAX_REDIRECTS = 3;
/** Time limit of a request whatever the caller's deadline. */
const TOTAL_MS = 600_000;

/** Headers that are kept on a redirect to another origin; any other might carry a credential. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
]);
/** Methods that only read (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const DEFAULT_HEADERS = {
  'user-agent': 'workflow-automation-service',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
};
/** Default type of a text body (Fetch standard). */
const TEXT = { 'content-type': 'text/plain;charset=UTF-8' };

interface Hop {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: HttpRequest['body'];
}

/** A response whose body has not been read. */
interface Answer {
  readonly status: number;
  /** Without `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Readable;
}

const isStreamed = (body: Hop['body']): body is StreamedBody =>
  typeof body === 'object' && body !== null && 'open' in body;

/** A stream of a known length is sent with it: many servers take no chunked uploads. */
const measure = (body: Hop['body']): Readonly<Record<string, string>> =>
  isStreamed(body) ? { 'content-length': String(body.size) } : {};

/** Lower case, because a header in another case would be sent in addition to its default. */
const lowerCaseNames = (headers: Hop['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Joins the values of each name, as fetch does; cookies contain commas and stay separate. */
function joinHeaders(raw: Dispatcher.ResponseData['headers']): Pick<Answer, 'headers' | 'cookies'> {
  const { 'set-cookie': cookies = [], ...others } = raw;
  const headers = Object.entries(others).map(([name, value = '']) => {
    return [name, Array.isArray(value) ? value.join(', ') : value];
  });
  return { headers: Object.fromEntries(headers) as Answer['headers'], cookies: [cookies].flat() };
}

/** True when the other side has closed the connection. */
function isClosedByPeer(error: unknown): boolean {
  if (error instanceof errors.SocketError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** @returns the next request of a redirect (Fetch standard, HTTP-redirect fetch); null for another response */
function toNextHop(hop: Hop, { status, headers }: Answer): Hop | null {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return null;
  if (!URL.canParse(location, hop.url.href))
    throw new NodeError('redirect_refused', 'The server redirected to an invalid URL');
  const url = new URL(location, hop.url);
  const toGet =
    (status === 303 && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  // A change is sent to the host that the sheet of its version names, and to no other.
  if (!toGet && !SAFE_METHODS.has(hop.method) && url.host !== hop.url.host)
    throw new NodeError('redirect_refused', `The server redirected a ${hop.method} request to another host`);
  const kept = Object.entries(hop.headers).filter(([name]) => {
    if (toGet && name.startsWith('content-')) return false;
    return url.origin === hop.url.origin || HARMLESS_HEADERS.has(name);
  });
  return {
    url,
    method: toGet ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    body: toGet ? null : hop.body,
  };
}

const isEmpty = ({ status }: Answer, method: string): boolean =>
  method === 'HEAD' || WITHOUT_BODY.has(status);

/** The decoded bytes of an answer. */
function openBody({ headers, body }: Answer): AsyncIterable<Uint8Array> {
  return decodeBody(body, headers['content-encoding'] ?? null) as AsyncIterable<Uint8Array>;
}

/** Reads a body to its end and counts its decoded bytes, which are what it takes in memory. */
async function readBody(
  answer: Answer,
  method: string,
  { lease, signal }: { readonly lease: ByteLease | null; readonly signal: AbortSignal },
): Promise<Buffer> {
  const { headers } = answer;
  const plain: AsyncIterable<Uint8Array> = isEmpty(answer, method) ? answer.body : openBody(answer);
  const size = new AnswerBytes(lease, parseAnnouncedBytes(headers['content-length'], MAX_BODY_BYTES), signal);
  const chunks: Uint8Array[] = [];
  for await (const bytes of plain) {
    // Leaving the loop closes the stream and the connection.
    if (size.read + bytes.byteLength > MAX_BODY_BYTES)
      throw new NodeError('response_too_large', 'The response is larger than 10 MB');
    chunks.push(bytes);
    const wait = size.take(bytes.byteLength);
    if (wait !== null) await wait;
  }
  return Buffer.concat(chunks);
}

/** Hands the decoded bytes of an answer to what stores them while they come. */
async function keepBody(
  answer: Answer,
  store: NonNullable<ReturnType<NonNullable<HttpRequest['keep']>>>,
): Promise<HttpResponse> {
  const { status, headers, cookies, body } = answer;
  try {
    if (!isDecodable(headers['content-encoding'] ?? null))
      throw notDecodable('The response has an unknown encoding');
    const file = await store(openBody(answer));
    return { status, headers: toStorable(headers), cookies: toStorable(cookies), text: '', file };
  } catch (error) {
    // The storage may have read nothing of it.
    body.on('error', () => undefined).destroy();
    throw error;
  }
}

function toResponse({ status, headers, cookies }: Answer, bytes: Buffer): HttpResponse {
  const encoding = headers['content-encoding'] ?? null;
  // Some servers put a charset or an invented name there and encode nothing.
  if (!isDecodable(encoding) && !isPlainText(bytes))
    throw notDecodable('The response has an unknown encoding');
  const content = readContent(bytes, headers['content-type'] ?? '');
  return {
    status,
    headers: toStorable(headers),
    cookies: toStorable(cookies),
    ...('bytes' in content ? { text: '', bytes: content.bytes } : content),
  };
}

/** Converts the error of a hop. Only a first hop without a connection has certainly sent nothing. */
function toNodeError(error: unknown, first: boolean): NodeError {
  if (error instanceof NodeError) return error;
  const before = findNotConnected(error);
  if (before === null)
    return new NodeError('network_error', 'The connection failed', { retryable: true, cause: error });
  // One message for every reason, so that a tenant learns nothing about the internal network.
  const code = before.refused ? 'destination_not_allowed' : 'connection_failed';
  if (first) return new NothingSentError(code, before.message, { retryable: !before.refused });
  return before.refused
    ? new NodeError('redirect_refused', before.message)
    : new NodeError('network_error', before.message, { retryable: true });
}

interface HttpOptions {
  /** Kept connections per organization, for repeatable requests; null: each request opens a connection. */
  readonly kept?: OrganizationAgents | null;
  /** Counts the bytes of responses; null: not counted. */
  readonly lease?: ByteLease | null;
  /** Headers that the service adds, with priority over the node's; names in lower case. */
  readonly ownHeaders?: () => Readonly<Record<string, string>>;
}

/**
 * Creates the HTTP port. It throws NothingSentError `destination_not_allowed` and `connection_failed` (retryable), NodeError
 * `redirect_refused`, `network_error` (retryable), `response_too_large`, `response_not_decodable`, `timeout`.
 */
export function guardedHttp(
  { agent, allowed }: GuardedAgent,
  { kept = null, lease = null, ownHeaders = () => ({}) }: HttpOptions = {},
): HttpPort {
  const sendOn = async (
    dispatcher: Agent,
    { url, method, headers, body }: Hop,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const answer = await request(url, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...DEFAULT_HEADERS, ...(body === null ? {} : TEXT), ...headers, ...measure(body) },
      body: isStreamed(body) ? Readable.from(body.open(), { objectMode: false }) : body,
      dispatcher,
      signal,
    });
    return { status: answer.statusCode, ...joinHeaders(answer.headers), body: answer.body };
  };

  const sendHop = async (hop: Hop, { signal, connectionsOf }: HttpRequest): Promise<Answer> => {
    if (!allowed.allows(hop.url)) throw new NotConnectedError(true);
    if (kept === null || connectionsOf === undefined) return sendOn(agent, hop, signal);
    try {
      return await sendOn(kept.get(connectionsOf), hop, signal);
    } catch (error) {
      // The server may have just closed the idle connection; repeating is safe without a response (RFC 9112, 9.3.1).
      if (signal.aborted || !isClosedByPeer(error)) throw error;
      return sendOn(agent, hop, signal);
    }
  };

  const follow = async (request: HttpRequest): Promise<HttpResponse> => {
    const { method, body, signal } = request;
    const headers = { ...lowerCaseNames(request.headers), ...ownHeaders() };
    let hop: Hop = { url: new URL(request.url), method, headers, body };
    for (let hops = 0; ; hops += 1) {
      try {
        const response = await sendHop(hop, request);
        const next = toNextHop(hop, response);
        if (next === null) {
          const store = isEmpty(response, hop.method)
            ? null
            : (request.keep?.({ ...response, url: hop.url }) ?? null);
          if (store !== null) return await keepBody(response, store);
          return toResponse(response, await readBody(response, hop.method, { lease, signal }));
        }
        response.body.on('error', () => undefined).destroy();
        if (hops >= MAX_REDIRECTS)
          throw new NodeError('redirect_refused', 'The server redirected more than three times');
        request.admitHop?.({ method: next.method, host: next.url.host });
        hop = next;
      } catch (error) {
        if (signal.aborted) throw toAbortError(signal);
        throw toNodeError(error, hops === 0);
      }
    }
  };

  return {
    async send(request) {
      if (!URL.canParse(request.url)) throw new NothingSentError('invalid_url', 'The URL is not valid');
      if (request.signal.aborted) throw toAbortError(request.signal);
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TOTAL_MS)]);
      return await follow({ ...request, signal });
    },
  };
}
