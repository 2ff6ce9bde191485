/** A `fetch` for the clients of model providers and MCP servers: guarded destinations, no redirects, answers capped in size and idle time. */
import { fetch } from 'undici';
import { NodeError } from '../nodes/kind.ts';
import { NotConnectedError } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';

/** Ecosystem notes, LLM calls: `maxOutputTokens` is a request, not a bound. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** What becomes of the bytes of an answer on their way; null: nothing is to be passed on yet. */
export interface BodyEdit {
  push(bytes: Uint8Array): Uint8Array | null;
  end(): Uint8Array | null;
}

/** One stage for all that is done with a body: each further one costs 20 µs of CPU per chunk, and a token is a chunk. */
function read(
  body: ReadableStream<Uint8Array>,
  whose: string,
  edit: BodyEdit | null,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          const rest = edit?.end() ?? null;
          if (rest !== null) controller.enqueue(rest);
          controller.close();
          return;
        }
        size += value.byteLength;
        if (size > MAX_ANSWER_BYTES) {
          const error = new NodeError('response_too_large', `The answer of the ${whose} is larger than 4 MB`);
          await reader.cancel(error);
          throw error;
        }
        const passed = edit === null ? value : edit.push(value);
        if (passed === null) continue;
        controller.enqueue(passed);
        return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const urlOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input);

/**
 * A guarded function of fetch's shape; the agent ends a connection that is silent for 60 s. Rejects with
 * NotConnectedError (also as a cause) when nothing was sent, and with NodeError `response_too_large`.
 * @param whose who is called, in the words of a failure
 * @param editOf what edits the body of an answer, if anything does
 */
export function guardedFetch(
  { agent, allowed }: GuardedAgent,
  whose: 'model provider' | 'MCP server' | 'OAuth provider' = 'model provider',
  editOf: (status: number, headers: Headers) => BodyEdit | null = () => null,
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = urlOf(input);
    if (!allowed.allows(url)) throw new NotConnectedError(true);
    const sent = init?.body ?? null;
    if (sent !== null && typeof sent !== 'string') throw new TypeError('only text is sent');
    const response = await fetch(url.href, {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: sent,
      redirect: 'manual',
      dispatcher: agent,
      signal: init?.signal ?? null,
    });
    const headers = new Headers(Object.fromEntries(response.headers));
    const stream = response.body as ReadableStream<Uint8Array> | null;
    const { status } = response;
    const body = stream === null ? null : read(stream, whose, editOf(status, headers));
    return new Response(body, { status, headers });
  };
}
