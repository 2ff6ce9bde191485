/**
 * One open stream: pulls the events after the last one sent, as fast as the client reads, until the terminal frame. A stream
 * holds one page of events in memory; full pages are counted with other large answers. A client that does not read is dropped.
 */
import type { Writable } from 'node:stream';
import type { HeartbeatPosition } from '../engine.ts';
import type { Sql } from '../../../base/db/client.ts';
import { GAP_MS, IN_A_ROW } from '../../../base/db/notice-pace.ts';
import type { Logger } from '../../../base/log.ts';
import type { Release } from '../../../base/shares/fair-semaphore.ts';
import type { Follower } from './heartbeats.ts';
import {
  BEHIND_EVENTS,
  PAGE_SIZE,
  PAGE_WEIGHT,
  type EventReader,
  type EventRow,
} from '../ledger/read/event-reader.ts';
import {
  buildHeartbeatFrame,
  PING,
  readEnd,
  RECONNECT,
  buildErrorFrame,
  toFrame,
  type FrameSource,
} from './frames.ts';

const PING_MS = 15_000;
/** A client that reads nothing is dropped within 30 s (SPEC SEC-S03). */
const DRAIN_MS = 30_000;
/** Access is checked again with every second ping, that is every 30 s (SPEC SEC-S06). */
const PINGS_PER_CHECK = 2;
/** Characters of frames per write: one write costs as much as many frames. */
const MAX_WRITE = 65_536;

// Reads keep the pace of the notices: two in a row, then one in 25 ms. Each read costs 2 ms of CPU here and in PostgreSQL, so
// a busy run is sent in larger pieces. The end of a run is read immediately.

export interface StreamDeps extends FrameSource {
  readonly db: Sql;
  readonly events: Pick<EventReader, 'read'>;
  readonly log: Logger;
  /** Takes the frames as text: the response, or a reader in this process. */
  readonly response: Writable;
  /** The client has the frames up to this seq. */
  readonly afterSeq: number;
  readonly hasEnded: boolean;
  /** The number of the run's newest event. */
  readonly lastSeq: number;
  /** Waits for a share of the organization's bytes in memory. @returns releases it @throws the reason of the signal */
  takeShare(bytes: number, signal: AbortSignal): Promise<Release>;
  isAllowed(): Promise<boolean>;
}

export class RunStream implements Follower {
  readonly #deps: StreamDeps;
  #afterSeq: number;
  #hasEnded: boolean;
  #isOver = false;
  readonly #over = new AbortController();
  /** A full page is expected, which is read within the organization's share. */
  #isBehind: boolean;
  #isBlocked = false;
  #isDirty = false;
  #isEnding = false;
  /** When the reads so far would have ended at one read per gap. */
  #readsEndMs = 0;
  #wakeUp: (() => void) | null = null;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#afterSeq = deps.afterSeq;
    this.#hasEnded = deps.hasEnded;
    this.#isBehind = deps.lastSeq - deps.afterSeq > BEHIND_EVENTS;
  }

  wake(isEnd = false): void {
    this.#isDirty = true;
    if (isEnd) this.#isEnding = true;
    this.#wakeUp?.();
  }

  checkState(run: { readonly lastSeq: number; readonly hasEnded: boolean } | null): void {
    if (run === null) {
      this.#writeOrSkip(buildErrorFrame(this.#deps, 'run_removed', 'The run is no longer stored'));
      this.#end();
      return;
    }
    if (run.hasEnded) this.#hasEnded = true;
    if (run.hasEnded || run.lastSeq > this.#afterSeq) this.wake(run.hasEnded);
  }

  sendHeartbeat(positions: readonly HeartbeatPosition[]): void {
    this.#writeOrSkip(buildHeartbeatFrame(this.#deps, positions));
    // A position after the last sent frame means that a notification was lost.
    if (positions.some((position) => position.seq > this.#afterSeq)) this.wake();
  }

  close(): void {
    this.#writeOrSkip(RECONNECT);
    this.#end();
  }

  /** Serves the stream; resolves when it has ended for any reason. */
  async serve(): Promise<void> {
    const { response } = this.#deps;
    response.once('close', () => this.#stop());
    let pings = 0;
    const ping = setInterval(() => {
      this.#writeOrSkip(PING);
      pings += 1;
      if (pings % PINGS_PER_CHECK === 0) void this.#checkAccess();
    }, PING_MS);
    try {
      while (!this.#isOver) {
        await this.#awaitPace();
        this.#isDirty = false;
        if (await this.#pull()) this.#end();
        else if (!this.#isDirty) await this.#sleep();
      }
    } finally {
      clearInterval(ping);
    }
  }

  /** Sends all new events. @returns true when the terminal frame was sent; false also after a database error */
  async #pull(): Promise<boolean> {
    const { db, events, run, log } = this.#deps;
    try {
      for (;;) {
        const ended = this.#hasEnded;
        const isBehind = this.#isBehind;
        const release = isBehind ? await this.#deps.takeShare(PAGE_WEIGHT, this.#over.signal) : null;
        try {
          const rows = await events.read(run.runPk, this.#afterSeq, isBehind);
          this.#isBehind = rows.length === PAGE_SIZE;
          if (await this.#send(rows)) return true;
        } finally {
          release?.();
        }
        if (this.#isOver) return false;
        if (this.#isBehind) continue;
        // The run had ended before the read, which did not return the terminal frame: it was deleted, or the client has it.
        if (!ended) return false;
        for (const text of (await readEnd(db, this.#deps)) ?? []) await this.#write(text);
        return true;
      }
    } catch (error) {
      if (this.#isOver) return false;
      log.warn({ err: error, run_pk: run.runPk }, 'the events of a run could not be read');
      return false;
    }
  }

  /** Sends events as frames, many per write. @returns true when the terminal frame was among them */
  async #send(rows: readonly EventRow[]): Promise<boolean> {
    let text = '';
    for (const row of rows) {
      const frame = toFrame(this.#deps.run, row);
      if (text !== '' && text.length + frame.text.length > MAX_WRITE) {
        await this.#write(text);
        if (this.#isOver) return false;
        text = '';
      }
      text += frame.text;
      this.#afterSeq = row.seq;
      if (!frame.isTerminal) continue;
      await this.#write(text);
      return true;
    }
    if (text !== '') await this.#write(text);
    return false;
  }

  /** Writes a text and waits until the client can take more. */
  async #write(text: string): Promise<void> {
    const { response } = this.#deps;
    if (this.#isOver || response.write(text)) return;
    this.#isBlocked = true;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#deps.log.info(
          { run_pk: this.#deps.run.runPk },
          'a client that does not read its stream was dropped',
        );
        response.destroy();
        done();
      }, DRAIN_MS);
      response.once('drain', done);
      response.once('close', done);
    });
    this.#isBlocked = false;
  }

  /** Writes a text, or skips it while the client does not read. */
  #writeOrSkip(text: string): void {
    if (!this.#isOver && !this.#isBlocked) this.#deps.response.write(text);
  }

  async #checkAccess(): Promise<void> {
    // A database error does not end the stream.
    const isAllowed = await this.#deps.isAllowed().catch(() => true);
    if (!isAllowed) this.#end();
  }

  /** Waits until the pace allows a read or the run has ended. */
  async #awaitPace(): Promise<void> {
    for (;;) {
      const nowMs = this.#deps.clock.monotonic();
      const waitMs = this.#readsEndMs - (IN_A_ROW - 1) * GAP_MS - nowMs;
      if (waitMs <= 0 || this.#isEnding || this.#isOver) {
        this.#readsEndMs = Math.max(this.#readsEndMs, nowMs) + GAP_MS;
        return;
      }
      await this.#sleep(waitMs);
    }
  }

  /** Sleeps until it is woken, at most `forMs`. */
  async #sleep(forMs: number | null = null): Promise<void> {
    if (this.#isOver) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
      if (forMs !== null) timer = setTimeout(resolve, forMs);
    });
    clearTimeout(timer);
    this.#wakeUp = null;
  }

  #end(): void {
    if (!this.#isOver) this.#deps.response.end();
    this.#stop();
  }

  #stop(): void {
    this.#isOver = true;
    this.#over.abort(new Error('The stream is over'));
    this.#wakeUp?.();
  }
}
