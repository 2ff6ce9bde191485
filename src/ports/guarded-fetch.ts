/** A `fetch` for the clients of model providers and MCP servers: guarded destinations, no redirects, answers capped in size and idle time. */
import { fetch } from 'undici';
import { NodeError } from '../nodes/kind.ts';
import { NotConnectedError } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';

/** Ecosystem notes, LLM calls: `maxOutputTokens` is a request, not a bound. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

function capped(whose: string): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) {
        throw new NodeError('response_too_large', `The answer of the ${whose} is larger than 4 MB`);
      }
      controller.enqueue(chunk);
    },
  });
}

const urlOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input);

/**
 * A guarded function of fetch's shape; the agent ends a connection that is silent for 60 s. Rejects with
 * NotConnectedError (also as a cause) when nothing was sent, and with NodeError `response_too_large`.
 * @param whose who is called, in the words of a failure
 */
export function guardedFetch(
  { agent, allowed }: GuardedAgent,
  whose: 'model provider' | 'MCP server' | 'OAuth provider' = 'model provider',
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = urlOf(input);
    if (!allowed.allows(url)) throw new NotConnectedError(true);
    const body = init?.body ?? null;
    if (body !== null && typeof body !== 'string') throw new TypeError('only text is sent');
    const response = await fetch(url.href, {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body,
      redirect: 'manual',
      dispatcher: agent,
      signal: init?.signal ?? null,
    });
    const headers = new Headers(Object.fromEntries(response.headers));
    const stream = response.body as ReadableStream<Uint8Array> | null;
    return new Response(stream === null ? null : stream.pipeThrough(capped(whose)), {
      status: response.status,
      headers,
    });
  };
}
