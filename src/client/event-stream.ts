/** The events of a run as one sequence, over however many connections it takes. */
import { createParser } from 'eventsource-parser';
import { WorkflowApiError } from './error.ts';
import type { components } from './openapi.ts';
import { backoffMs, pause } from './retry.ts';
import type { Transport } from './transport.ts';

export type RunEvent = components['schemas']['Frame'];
/** How a run ended. */
export type RunEnd = Extract<
  RunEvent,
  { type: 'run_completed' | 'run_failed' | 'run_cancelled' | 'run_interrupted' }
>;

/** The service pings every 15 s: this long without a byte is a connection that is gone. */
const SILENCE_MS = 45_000;
const WATCH_MS = 1_000;
/** What a stream may hold a place for while others wait for one. */
const HELD_MS = 5_000;
/** The service closes a stream behind its last event. */
const LINGER_MS = 200;
/** A restart of the service, or of what is in front of it, is over by then. */
const GIVE_UP_MS = 300_000;

export interface Followed {
  readonly runId: string;
  /** Events up to this `seq` are known. */
  readonly afterSeq: number;
  readonly signal?: AbortSignal | undefined;
  /** The connection has failed and is opened again. */
  readonly onReconnect?: ((failure: WorkflowApiError) => void) | undefined;
}

export const isEnd = (event: RunEvent): event is RunEnd =>
  event.type === 'run_completed' ||
  event.type === 'run_failed' ||
  event.type === 'run_cancelled' ||
  event.type === 'run_interrupted';

const seqOf = (event: RunEvent): number | null => ('seq' in event ? event.seq : null);

/** Failures after which the run may still be followed. */
const isPassing = ({ status }: WorkflowApiError): boolean => status === 0 || status === 429 || status >= 500;

/** One connection: batches of events as they come, until it ends or is given up. */
class Connection {
  readonly #transport: Transport;
  readonly #controller = new AbortController();
  readonly #openedMs = performance.now();
  #readMs = performance.now();
  /** Left because it was silent, or to make room: the run goes on, on another connection. */
  #isLeft = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * @returns batches of events
   * @throws WorkflowApiError when it cannot be opened or breaks; the signal's reason
   */
  async *read({ runId, afterSeq, signal }: Followed): AsyncGenerator<readonly RunEvent[], void, void> {
    const stop = (): void => this.#controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    const watch = setInterval(() => this.#look(), WATCH_MS);
    try {
      signal?.throwIfAborted();
      const response = await this.#transport.open({
        method: 'GET',
        path: '/workflows/listen/{run_id}',
        parameters: { run_id: runId },
        query: { after_seq: afterSeq },
        headers: { Accept: 'text/event-stream' },
        signal: this.#controller.signal,
      });
      if (response.body !== null) yield* this.#batches(response.body);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (this.#isLeft) return;
      if (error instanceof WorkflowApiError) throw error;
      throw new WorkflowApiError({ status: 0, code: 'network', detail: 'The event stream broke' }, error);
    } finally {
      clearInterval(watch);
      signal?.removeEventListener('abort', stop);
      this.#controller.abort();
    }
  }

  async *#batches(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly RunEvent[], void, void> {
    let batch: RunEvent[] = [];
    const parser = createParser({ onEvent: ({ data }) => batch.push(JSON.parse(data) as RunEvent) });
    const decoder = new TextDecoder();
    // Not every browser iterates a stream.
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#readMs = performance.now();
      parser.feed(decoder.decode(value, { stream: true }));
      if (batch.length === 0) continue;
      yield batch;
      const isOver = batch.some(isEnd);
      batch = [];
      // Read to its own end, a connection can be used again; aborted, it is closed.
      if (isOver)
        return void (await Promise.race([reader.read(), pause(LINGER_MS, this.#controller.signal)]));
    }
  }

  /** Leaves a silent connection, and one that has had its time while others wait for a place. */
  #look(): void {
    const nowMs = performance.now();
    const hadItsTime = nowMs - this.#openedMs >= HELD_MS && this.#transport.streams.shouldLeave(nowMs);
    if (nowMs - this.#readMs < SILENCE_MS && !hadItsTime) return;
    this.#isLeft = true;
    this.#controller.abort();
  }
}

/**
 * Follows a run to its end. A connection that ends early is opened again after the last `seq` that was seen: no event is
 * missing and none comes twice. Heartbeats have no `seq` and pass as they come.
 * @throws WorkflowApiError when the run is not to be seen (any more), or nothing was heard for five minutes; the signal's
 * reason
 */
export async function* followRun(
  transport: Transport,
  { runId, afterSeq, signal, onReconnect }: Followed,
): AsyncGenerator<RunEvent, void, void> {
  let seenSeq = afterSeq;
  let failures = 0;
  let heardMs = performance.now();
  for (;;) {
    const release = await transport.streams.acquire(signal);
    let failure: WorkflowApiError | null = null;
    let isOver = false;
    try {
      for await (const batch of new Connection(transport).read({ runId, afterSeq: seenSeq, signal })) {
        failures = 0;
        for (const event of batch) {
          if (event.type === 'stream_error')
            throw new WorkflowApiError({ status: 410, code: event.code, detail: event.message, body: event });
          const seq = seqOf(event);
          const isKnown = seq !== null && seq <= seenSeq;
          if (seq !== null && !isKnown) seenSeq = seq;
          if (!isKnown) yield event;
          if (isEnd(event)) isOver = true;
        }
        // Read after the batch was taken: a caller that takes its time is no silence of the service.
        heardMs = performance.now();
      }
    } catch (error) {
      if (!(error instanceof WorkflowApiError) || !isPassing(error)) throw error;
      failure = error;
    } finally {
      release();
    }
    if (isOver) return;
    if (failure !== null && performance.now() - heardMs > GIVE_UP_MS) throw failure;
    if (failure !== null) onReconnect?.(failure);
    // An orderly end comes back soon, but not in a circle.
    await pause(backoffMs(failures, failure?.retryAfterMs ?? null), signal);
    failures += 1;
  }
}
