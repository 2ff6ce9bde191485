/** Follows the events of a run as one sequence over as many connections as needed. */
import { createParser } from 'eventsource-parser';
import { WorkflowApiError } from './error.ts';
import type * as api from './openapi.ts';
import { backoffMs, pause } from './retry.ts';
import type { Transport } from './transport.ts';

export type RunEvent = api.RunEvent;
/** How a run ended. */
export type RunEnd = Extract<
  RunEvent,
  { type: 'run_completed' | 'run_failed' | 'run_cancelled' | 'run_interrupted' }
>;

/** The service pings every 15 s, so a connection without a byte for three pings is lost. */
const SILENCE_MS = 45_000;
const WATCH_MS = 1_000;
/** How long an idle stream keeps its connection slot while others queue. */
const HELD_MS = 5_000;
/** The service closes a stream after its last event. */
const LINGER_MS = 200;
/** Longer than a restart of the service or of its proxy. */
const GIVE_UP_MS = 300_000;

interface FollowRequest {
  readonly runId: string;
  /** Skips events up to this `seq`. */
  readonly afterSeq: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection failed and before it is reopened. */
  readonly onReconnect?: ((failure: WorkflowApiError) => void) | undefined;
}

export const isEnd = (event: RunEvent): event is RunEnd =>
  event.type === 'run_completed' ||
  event.type === 'run_failed' ||
  event.type === 'run_cancelled' ||
  event.type === 'run_interrupted';

/** Failures after which following the run may still succeed. */
const isTransient = ({ status }: WorkflowApiError): boolean =>
  status === 0 || status === 429 || status >= 500;

/** One connection, read until it ends or is given up. */
class Connection {
  readonly #transport: Transport;
  readonly #controller = new AbortController();
  readonly #openedMs = performance.now();
  #readMs = performance.now();
  /** True when this side closed the connection: it was silent, or another stream needed the slot. */
  #isLeft = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Yields batches of events.
   * @throws WorkflowApiError when the connection cannot be opened or breaks; the signal's reason
   */
  async *read({ runId, afterSeq, signal }: FollowRequest): AsyncGenerator<readonly RunEvent[], void, void> {
    const stop = (): void => this.#controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    const watch = setInterval(() => this.#leaveIfDue(), WATCH_MS);
    let isOpen = false;
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
      isOpen = true;
      if (response.body !== null) yield* this.#batches(response.body);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (this.#isLeft) return;
      // Before there is a stream, other errors are the caller's, such as those of its function for the token.
      if (error instanceof WorkflowApiError || !isOpen) throw error;
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
    // Not every browser can iterate a stream.
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
      // A connection that is read to its end can be reused; an aborted one is closed.
      if (isOver)
        return void (await Promise.race([reader.read(), pause(LINGER_MS, this.#controller.signal)]));
    }
  }

  /** Closes a silent connection, and one that has held its slot for long while others wait. */
  #leaveIfDue(): void {
    const nowMs = performance.now();
    const mustYield = nowMs - this.#openedMs >= HELD_MS && this.#transport.streams.shouldLeave(nowMs);
    if (nowMs - this.#readMs < SILENCE_MS && !mustYield) return;
    this.#isLeft = true;
    this.#controller.abort();
  }
}

/**
 * Follows a run to its end. It reconnects after the last seen `seq`, so no event is lost or repeated. Heartbeats have no
 * `seq` and pass through.
 * @throws WorkflowApiError when the run is not visible (any more), or after five minutes without a response; the signal's
 * reason
 */
export async function* followRun(
  transport: Transport,
  { runId, afterSeq, signal, onReconnect }: FollowRequest,
): AsyncGenerator<RunEvent, void, void> {
  let seenSeq = afterSeq;
  let failures = 0;
  let answeredMs = performance.now();
  for (;;) {
    const queuedMs = performance.now();
    const release = await transport.streams.acquire(signal);
    // Queueing behind other streams is no silence of the service.
    answeredMs += performance.now() - queuedMs;
    let failure: WorkflowApiError | null = null;
    let isOver = false;
    try {
      for await (const batch of new Connection(transport).read({ runId, afterSeq: seenSeq, signal })) {
        failures = 0;
        for (const event of batch) {
          if (event.type === 'stream_error')
            throw new WorkflowApiError({ status: 410, code: event.code, detail: event.message, body: event });
          const seq = 'seq' in event ? event.seq : null;
          const isKnown = seq !== null && seq <= seenSeq;
          if (seq !== null && !isKnown) seenSeq = seq;
          if (!isKnown) yield event;
          if (isEnd(event)) isOver = true;
        }
        // Measured after the caller took the batch: a slow caller is not a silent service.
        answeredMs = performance.now();
      }
    } catch (error) {
      if (!(error instanceof WorkflowApiError) || !isTransient(error)) throw error;
      failure = error;
      // A refusal is an answer: the service is there, and has the run.
      if (error.status === 429) answeredMs = performance.now();
    } finally {
      release();
    }
    if (isOver) return;
    if (failure !== null && performance.now() - answeredMs > GIVE_UP_MS) throw failure;
    if (failure !== null) onReconnect?.(failure);
    // A closed stream is reopened soon, with back-off so that this is not a busy loop.
    await pause(backoffMs(failures, failure?.retryAfterMs ?? null), signal);
    failures += 1;
  }
}
