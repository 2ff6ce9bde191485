/** A `fetch` for the clients of model providers and MCP servers: guarded destinations, no redirects, answers capped in size and idle time. */
import type { Readable } from 'node:stream';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { NodeError } from '../nodes/kind.ts';
import type { ByteLease } from '../shares/byte-budget.ts';
import { AnswerBytes, announcedBytes } from './answer-bytes.ts';
import { decodedBody, WITHOUT_BODY } from './decoded-body.ts';
import { NotConnectedError } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';

/** `maxOutputTokens` is a request to the provider, not a bound: the bytes are counted (SPEC SEC-L05). */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** What becomes of the bytes of an answer on their way; null: nothing is to be passed on yet. */
export interface BodyEdit {
  push(bytes: Uint8Array): Uint8Array | null;
  end(): Uint8Array | null;
}

/** The reading of one answer. */
interface Reading {
  readonly whose: string;
  readonly edit: BodyEdit | null;
  readonly size: AnswerBytes;
}

/**
 * One stage for all that is done with a body, on the events of the socket: a token is a chunk, and each stage of promises
 * costs 20 µs of CPU for a chunk.
 */
function read(body: Readable, { whose, edit, size }: Reading): ReadableStream<Uint8Array> {
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
          throw new NodeError('response_too_large', `The answer of the ${whose} is larger than 4 MB`);
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
      // Thrown where an event is told, an error would end the process.
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

/** A header's values in one text, as fetch gives them. */
function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

const urlOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input);

interface FetchOptions {
  /** The side that is called, in the words of a failure; the model provider if not said. */
  readonly whose?: 'MCP server' | 'OAuth provider';
  /** Edits the body of an answer. */
  readonly editOf?: (status: number, headers: Headers) => BodyEdit | null;
  /** Counts the bytes of answers; null: nobody counts them. */
  readonly lease?: ByteLease | null;
}

/**
 * A guarded function of fetch's shape; the agent ends a connection that is silent for 60 s. Rejects with
 * NotConnectedError (also as a cause) when nothing was sent, and with NodeError `response_too_large`.
 */
export function guardedFetch(
  { agent, allowed }: GuardedAgent,
  { whose, editOf, lease = null }: FetchOptions = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = urlOf(input);
    if (!allowed.allows(url)) throw new NotConnectedError(true);
    const sent = init?.body ?? null;
    if (sent !== null && typeof sent !== 'string') throw new TypeError('only text is sent');
    const signal = init?.signal ?? null;
    const { statusCode, headers, body } = await request(url, {
      method: (init?.method ?? 'GET') as Dispatcher.HttpMethod,
      // Events are not worth compressing; who does it all the same is understood.
      headers: { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(init?.headers)) },
      body: sent,
      dispatcher: agent,
      signal,
    }).catch((error: unknown) => {
      // As fetch does it, which the provider SDKs know.
      throw signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause: error });
    });
    const given = headersOf(headers);
    if (WITHOUT_BODY.has(statusCode)) {
      await body.dump();
      return new Response(null, { status: statusCode, headers: given });
    }
    const announced = announcedBytes(given.get('content-length'), MAX_ANSWER_BYTES);
    const reading = {
      whose: whose ?? 'model provider',
      edit: editOf?.(statusCode, given) ?? null,
      size: new AnswerBytes(lease, announced, signal),
    };
    return new Response(read(decodedBody(body, given.get('content-encoding')), reading), {
      status: statusCode,
      headers: given,
    });
  };
}
