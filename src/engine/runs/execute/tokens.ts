/**
 * Group commit of the events that attempts stream: one statement for all streams of the process that are due, which fences them
 * (ledger/write/live-events.ts). A run that was locked is left for the next write.
 */
import type { Clock, Timer } from '../../../base/clock.ts';
import type { Tx } from '../../../base/db/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { NodeEventType } from '../ledger/event-types.ts';
import { appendLiveEvents, type LiveEventRow } from '../ledger/write/live-events.ts';
import type { Logger } from '../../../base/log.ts';

/** Between two writes: at most 40 commits a second. Also until a run that was locked is tried again. */
const GAP_MS = 25;
/** After a write that failed. */
const RETRY_MS = 250;

interface LiveEvent {
  readonly type: NodeEventType;
  /** Without the fields of its source. */
  readonly payload: JsonObject;
}

/** Joins two objects to JSON. @param text JSON of the first, which all events of a stream share */
function joinObjects(text: string, payload: JsonObject): string {
  const rest = JSON.stringify(payload);
  if (text === '{}' || rest === '{}') return text === '{}' ? rest : text;
  return `${text.slice(0, -1)},${rest.slice(1)}`;
}

interface StreamSource {
  readonly runPk: string;
  readonly stepId: string;
  readonly attempt: number;
  readonly batchIntervalMs: number;
  /** The fields that each event of this step carries. */
  readonly fields: JsonObject;
}

/** The stream of events of one attempt. */
export class TokenStream {
  readonly source: StreamSource;
  readonly #appender: TokenAppender;
  readonly #onFenced: () => void;
  readonly #fields: string;
  #pending: LiveEvent[] = [];
  #lastFlushMs = -Infinity;
  /** Its run was locked: it is not written earlier, not even by a drain. */
  #lockedUntilMs = -Infinity;
  #isBeingWritten = false;
  #tokens = 0;
  #seq = 0;
  #fenced = false;

  constructor(appender: TokenAppender, speaker: StreamSource, onFenced: () => void) {
    this.#appender = appender;
    this.source = speaker;
    this.#onFenced = onFenced;
    this.#fields = JSON.stringify(speaker.fields);
  }

  get tokens(): number {
    return this.#tokens;
  }
  /** The seq of the last event that was written. */
  get seq(): number {
    return this.#seq;
  }

  /** Streams a piece of text; pieces of one batch and channel become one event. */
  token(delta: string, channel: 'content' | 'reasoning'): void {
    this.#tokens += 1;
    const last = this.#pending.at(-1);
    if (last?.type === 'token' && last.payload['channel'] === channel) {
      const before = last.payload['delta'];
      last.payload['delta'] = typeof before === 'string' ? before + delta : delta;
      return;
    }
    this.append('token', { delta, channel, replay: false });
  }

  append(type: NodeEventType, payload: JsonObject): void {
    if (this.#fenced) return;
    this.#pending.push({ type, payload });
    this.#appender.schedule(this);
  }

  /** When its next write is due: a batch interval after the last one, the first immediately. Null: nothing to write. */
  get dueMs(): number | null {
    if (this.#pending.length === 0) return null;
    return Math.max(this.#lastFlushMs + this.source.batchIntervalMs, this.#lockedUntilMs);
  }
  get lockedUntilMs(): number {
    return this.#lockedUntilMs;
  }

  /** Converts an event to its row, with the fields of its source. */
  toRow({ type, payload }: LiveEvent): LiveEventRow {
    const { runPk, stepId, attempt } = this.source;
    return { runPk, stepId, attempt, type, payload: joinObjects(this.#fields, payload) };
  }

  take(nowMs: number): LiveEvent[] {
    this.#lastFlushMs = nowMs;
    this.#isBeingWritten = true;
    return this.#pending.splice(0);
  }
  giveBack(said: readonly LiveEvent[]): void {
    this.#isBeingWritten = false;
    this.#pending.unshift(...said);
  }
  /** Gives back events whose run was locked: they are due again then, whatever the interval. */
  retryAt(lockedUntilMs: number, said: readonly LiveEvent[]): void {
    this.giveBack(said);
    this.#lastFlushMs = -Infinity;
    this.#lockedUntilMs = lockedUntilMs;
  }
  markWritten(seq: number): void {
    this.#isBeingWritten = false;
    this.#seq = seq;
  }
  fence(): void {
    this.#isBeingWritten = false;
    if (this.#fenced) return;
    this.#fenced = true;
    this.#pending = [];
    this.#onFenced();
  }

  /** Resolves when all events are written; called before the step ends. */
  async drain(): Promise<void> {
    while (this.#pending.length > 0 || this.#isBeingWritten) {
      await this.#appender.awaitLock(this);
      await this.#appender.flush(this);
    }
  }
  /** Ends the stream: work that is left behind adds nothing. */
  close(): void {
    this.#fenced = true;
    this.#pending = [];
    this.#appender.forget(this);
  }
}

function isDue(
  { dueMs, lockedUntilMs }: TokenStream,
  { nowMs, isUrgent }: { readonly nowMs: number; readonly isUrgent: boolean },
): boolean {
  return dueMs !== null && (isUrgent ? lockedUntilMs : dueMs) <= nowMs;
}

export class TokenAppender {
  readonly #sql: Tx;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #streams = new Set<TokenStream>();
  #timer: Timer | null = null;
  /** When the timer goes off; without one, Infinity. */
  #timerMs = Infinity;
  /** No write begins earlier. */
  #earliestMs = -Infinity;
  #writes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(sql: Tx, { log, clock }: { readonly log: Logger; readonly clock: Clock }) {
    this.#sql = sql;
    this.#log = log;
    this.#clock = clock;
  }

  open(speaker: StreamSource, onFenced: () => void): TokenStream {
    return new TokenStream(this, speaker, onFenced);
  }

  schedule(stream: TokenStream): void {
    this.#streams.add(stream);
    // The end of a write schedules the next one.
    if (this.#writes === 0 && stream.dueMs !== null) this.#writeAt(stream.dueMs);
  }

  forget(stream: TokenStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#stopTimer();
  }

  /** Resolves when a stream whose run was locked may be tried again. */
  async awaitLock({ lockedUntilMs }: TokenStream): Promise<void> {
    const waitMs = lockedUntilMs - this.#clock.monotonic();
    // Timers fire up to a millisecond early.
    if (waitMs > 0)
      await new Promise((resolve) => this.#clock.setTimeout(() => resolve(null), Math.ceil(waitMs) + 1));
  }

  /** Writes the streams that are due, and `urgent`; one write at a time, in order. */
  flush(urgent: TokenStream | null): Promise<void> {
    this.#writes += 1;
    const next = this.#writing.then(() => this.#write(urgent));
    this.#writing = next
      .catch(() => undefined)
      .then(() => {
        this.#writes -= 1;
        if (this.#writes === 0) this.#writeNext();
      });
    return next;
  }

  #writeNext(): void {
    for (const { dueMs } of this.#streams) if (dueMs !== null) this.#writeAt(dueMs);
  }

  /** Schedules a write at this time, unless one comes earlier. */
  #writeAt(dueMs: number): void {
    const atMs = Math.max(dueMs, this.#earliestMs);
    if (atMs >= this.#timerMs) return;
    this.#stopTimer();
    this.#timerMs = atMs;
    // Timers fire up to a millisecond early, and streams that are not due yet would need another one.
    const waitMs = Math.max(0, Math.ceil(atMs - this.#clock.monotonic())) + 1;
    this.#timer = this.#clock.setTimeout(() => {
      this.#stopTimer();
      this.flush(null).catch(() => undefined);
    }, waitMs);
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerMs = Infinity;
  }

  async #write(urgent: TokenStream | null): Promise<void> {
    const nowMs = this.#clock.monotonic();
    const batch = [...this.#streams]
      .filter((stream) => isDue(stream, { nowMs, isUrgent: stream === urgent }))
      .map((stream) => ({ stream, said: stream.take(nowMs) }));
    if (batch.length === 0) return;
    this.#earliestMs = nowMs + GAP_MS;
    try {
      const seqs = await appendLiveEvents(
        this.#sql,
        batch.flatMap(({ stream, said }) => said.map((event) => stream.toRow(event))),
      );
      for (const { stream, said } of batch) {
        const seq = seqs.get(stream.source.stepId);
        if (seq === undefined) stream.fence();
        else if (seq === null) stream.retryAt(this.#clock.monotonic() + GAP_MS, said);
        else {
          stream.markWritten(seq);
        }
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'live events could not be written; retrying');
      this.#earliestMs = this.#clock.monotonic() + RETRY_MS;
      for (const { stream, said } of batch) stream.giveBack(said);
      throw error;
    }
  }
}
