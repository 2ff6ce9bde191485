/** A `fetch` for clients of model providers and MCP servers: checked destinations, no redirects, limited size and idle time. */
import type { Readable } from 'node:stream';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { NodeError } from '../../language/nodes/kind.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import { AnswerBytes, parseAnnouncedBytes } from './answer-bytes.ts';
import { decodeBody, WITHOUT_BODY } from './decoded-body.ts';
import { NotConnectedError } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';

/** A provider may ignore `maxOutputTokens`, so bytes are counted (SPEC SEC-L05). */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Edits the bytes of a response as they arrive; null: nothing to pass on yet. */
export interface BodyEdit {
  push(bytes: Uint8Array): Uint8Array | null;
  end(): Uint8Array | null;
}

interface ReadOptions {
  readonly peer: string;
  readonly edit: BodyEdit | null;
  readonly size: AnswerBytes;
}

/**
 * Reads a body in a single stage on the socket's events: each token is a chunk, and a promise-based stage costs 20 µs of CPU
 * per chunk.
 */
function readBody(body: Readable, { peer, edit, size }: ReadOptions): ReadableStream<Uint8Array> {
  let isWaiting = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (error: unknown): void => {
        controller.error(error);
        body.destroy();
      };
      const waitFor = (counted: Promise<void>): void => {
        isWaiting = true;
        body.pause();
        counted.then(() => {
          isWaiting = false;
          if ((controller.desiredSize ?? 0) > 0) body.resume();
        }, fail);
      };
      const take = (bytes: Uint8Array): void => {
        if (size.read + bytes.byteLength > MAX_ANSWER_BYTES)
          throw new NodeError('response_too_large', `The response of the ${peer} is larger than 4 MB`);
        const counted = size.take(bytes.byteLength);
        if (counted !== null) waitFor(counted);
        const passed = edit === null ? bytes : edit.push(bytes);
        if (passed === null) return;
        controller.enqueue(passed);
        if ((controller.desiredSize ?? 0) <= 0) body.pause();
      };
      const end = (): void => {
        const rest = edit?.end() ?? null;
        if (rest !== null) controller.enqueue(rest);
        controller.close();
      };
      // An error thrown in an event listener would end the process.
      const orFail = (work: () => void): void => {
        try {
          work();
        } catch (error) {
          fail(error);
        }
      };
      body.on('data', (bytes: Buffer) => orFail(() => take(bytes)));
      body.once('end', () => orFail(end));
      body.on('error', fail);
    },
    pull() {
      if (!isWaiting) body.resume();
    },
    cancel: () => void body.destroy(),
  });
}

function toHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

const toUrl = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input);

interface FetchOptions {
  /** Name of the called side in error messages; default: model provider. */
  readonly peer?: 'model provider' | 'MCP server' | 'OAuth provider' | 'endpoint';
  /** Creates the edit of a response body. */
  readonly createEdit?: (status: number, headers: Headers) => BodyEdit | null;
  /** Counts the bytes of responses; null: not counted. */
  readonly lease?: ByteLease | null;
}

/**
 * Creates a guarded `fetch`; the agent closes a connection after 60 s of silence. It rejects with NotConnectedError (also as
 * a cause) when nothing was sent, and with NodeError `response_too_large`.
 */
export function guardedFetch(
  { agent, allowed }: GuardedAgent,
  { peer = 'model provider', createEdit, lease = null }: FetchOptions = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = toUrl(input);
    if (!allowed.allows(url)) throw new NotConnectedError(true);
    const sent = init?.body ?? null;
    if (sent !== null && typeof sent !== 'string') throw new TypeError('only text is sent');
    const signal = init?.signal ?? null;
    const { statusCode, headers, body } = await request(url, {
      method: (init?.method ?? 'GET') as Dispatcher.HttpMethod,
      // Events are not worth compressing; a compressed response is decoded all the same.
      headers: { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(init?.headers)) },
      body: sent,
      dispatcher: agent,
      signal,
    }).catch((error: unknown) => {
      // The same error as from fetch, which the provider SDKs recognize.
      throw signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause: error });
    });
    const given = toHeaders(headers);
    if (WITHOUT_BODY.has(statusCode)) {
      await body.dump();
      return new Response(null, { status: statusCode, headers: given });
    }
    const announced = parseAnnouncedBytes(given.get('content-length'), MAX_ANSWER_BYTES);
    const options = {
      peer,
      edit: createEdit?.(statusCode, given) ?? null,
      size: new AnswerBytes(lease, announced, signal),
    };
    return new Response(readBody(decodeBody(body, given.get('content-encoding')), options), {
      status: statusCode,
      headers: given,
    });
  };
}
