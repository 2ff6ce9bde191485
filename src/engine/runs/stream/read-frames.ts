/** The frames of a run as values, for adapters of other protocols. They come through the same stream as those of clients. */
import { PassThrough } from 'node:stream';
import type { Scope } from '../../../platform/access/caller.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { EventType } from '../ledger/event-types.ts';
import { openStream, type FollowDeps, type StreamRequest } from './follow.ts';

/** A frame; of type `ping` when nothing happened, so that an adapter can keep its own connection open. */
export type RunFrame = JsonObject & { readonly type: EventType | 'ping' };

/** Parses one event of the stream; null for one without a frame. */
function parseFrame(event: string): RunFrame | null {
  if (event.startsWith(': ping')) return { type: 'ping' };
  const data = event.split('\n').find((line) => line.startsWith('data: '));
  return data === undefined ? null : (JSON.parse(data.slice('data: '.length)) as RunFrame);
}

/**
 * Reads the frames of a run until its end, as fast as they are taken.
 * @param signal ends the reading early: the client has left
 */
export async function* readFrames(
  deps: FollowDeps,
  scope: Scope,
  request: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<RunFrame> {
  const stream = new PassThrough({ encoding: 'utf8' });
  const stop = (): unknown => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void openStream(deps, scope, request, stream);
  try {
    let rest = '';
    for await (const piece of stream as AsyncIterable<string>) {
      const events = (rest + piece).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const frame = parseFrame(event);
        if (frame !== null) yield frame;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
  }
}
