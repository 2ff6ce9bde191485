/**
 * Group commit of what nodes say while they work: one statement and one wake-up per tick for the whole process,
 * however many nodes stream. Fenced in the same statement: an attempt that is no longer the step's current one, or a
 * run that has ended, gets nothing written and is told so.
 */
import type { Sql } from '../../src/db/client.ts';
import type { JsonObject } from '../../src/graph/value.ts';
import { RUN_EVENTS_CHANNEL } from '../../src/journal/events.ts';
import type { Logger } from '../../src/log.ts';

/** Measured: 25 ms costs 26 commits/s in all and adds about 12 ms to a token's way. */
const TICK_MS = 25;

const APPEND = `
  WITH said AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[])
      WITH ORDINALITY AS e(run_pk, step_id, attempt, type, payload, ord)
  ), open AS (
    -- In one order everywhere: two workers that commit for the same runs must not deadlock.
    SELECT id FROM runs WHERE id IN (SELECT run_pk FROM said) AND status = 'running' ORDER BY id FOR NO KEY UPDATE
  ), speaking AS (
    -- Locked after the run, as attempts begin and end: who had to wait sees what happened meanwhile.
    SELECT step_id, attempt FROM run_steps
    WHERE run_pk IN (SELECT id FROM open) AND step_id IN (SELECT step_id FROM said) AND status = 'running'
    FOR NO KEY UPDATE
  ), current AS (
    SELECT said.* FROM said JOIN speaking USING (step_id, attempt)
  ), counted AS (
    SELECT run_pk, count(*)::int AS n FROM current GROUP BY run_pk
  ), moved AS (
    UPDATE runs SET last_seq = last_seq + n, last_event_at = clock_timestamp()
    FROM counted WHERE runs.id = counted.run_pk RETURNING runs.id, last_seq, n
  ), added AS (
    INSERT INTO run_events (run_pk, seq, type, payload)
    SELECT c.run_pk, m.last_seq - m.n + row_number() OVER (PARTITION BY c.run_pk ORDER BY c.ord), c.type, c.payload::json
    FROM current c JOIN moved m ON m.id = c.run_pk
  ), woken AS (
    SELECT pg_notify('${RUN_EVENTS_CHANNEL}', id::text) FROM moved
  )
  SELECT DISTINCT c.step_id, m.last_seq, (SELECT count(*) FROM woken) AS woken
  FROM current c JOIN moved m ON m.id = c.run_pk`;

interface Said {
  readonly type: string;
  readonly payload: JsonObject;
}

export interface Speaker {
  readonly runPk: string;
  readonly stepId: string;
  readonly attempt: number;
  readonly batchIntervalMs: number;
  /** The fields that each event of this step carries. */
  readonly fields: JsonObject;
}

/** The live voice of one attempt of one step. */
export class TokenStream {
  readonly speaker: Speaker;
  readonly #appender: TokenAppender;
  readonly #onFenced: () => void;
  #said: Said[] = [];
  #lastFlushMs = 0;
  #tokens = 0;
  #seq = 0;
  #fenced = false;

  constructor(appender: TokenAppender, speaker: Speaker, onFenced: () => void) {
    this.#appender = appender;
    this.speaker = speaker;
    this.#onFenced = onFenced;
  }

  get tokens(): number {
    return this.#tokens;
  }
  /** The seq of the last event that was written. */
  get seq(): number {
    return this.#seq;
  }

  /** Says a piece of text; pieces of one batch and channel become one event. */
  token(delta: string, channel: 'content' | 'reasoning'): void {
    this.#tokens += 1;
    const last = this.#said.at(-1);
    if (last?.type === 'token' && last.payload['channel'] === channel) {
      const before = last.payload['delta'];
      last.payload['delta'] = typeof before === 'string' ? before + delta : delta;
      return;
    }
    this.say('token', { delta, channel, replay: false });
  }

  say(type: string, payload: JsonObject): void {
    if (this.#fenced) return;
    this.#said.push({ type, payload: { ...this.speaker.fields, ...payload } });
    this.#appender.pending(this);
  }

  /** Due: its batch interval has passed since it last spoke. The first word is due at once. */
  isDue(nowMs: number): boolean {
    return this.#said.length > 0 && nowMs - this.#lastFlushMs >= this.speaker.batchIntervalMs;
  }

  take(nowMs: number): Said[] {
    this.#lastFlushMs = nowMs;
    return this.#said.splice(0);
  }
  giveBack(said: readonly Said[]): void {
    this.#said.unshift(...said);
  }
  written(seq: number): void {
    this.#seq = seq;
  }
  fence(): void {
    if (this.#fenced) return;
    this.#fenced = true;
    this.#said = [];
    this.#onFenced();
  }

  /** Everything said so far is written when this resolves: before the step's conclusion. */
  async drain(): Promise<void> {
    while (this.#said.length > 0) await this.#appender.flush(true);
  }
  close(): void {
    this.#appender.forget(this);
  }
}

export class TokenAppender {
  readonly #sql: Sql;
  readonly #log: Logger;
  readonly #streams = new Set<TokenStream>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  open(speaker: Speaker, onFenced: () => void): TokenStream {
    return new TokenStream(this, speaker, onFenced);
  }

  pending(stream: TokenStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => void this.flush(false).catch(() => undefined), TICK_MS);
  }

  forget(stream: TokenStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Writes what is due, or everything; one write at a time, in order. */
  flush(all: boolean): Promise<void> {
    const next = this.#writing.then(() => this.#write(all));
    this.#writing = next.catch(() => undefined);
    return next;
  }

  async #write(all: boolean): Promise<void> {
    const nowMs = Date.now();
    const batch = [...this.#streams]
      .filter((stream) => all || stream.isDue(nowMs))
      .map((stream) => ({ stream, said: stream.take(nowMs) }))
      .filter(({ said }) => said.length > 0);
    if (batch.length === 0) return;
    const rows = batch.flatMap(({ stream, said }) => said.map((event) => ({ stream, event })));
    try {
      const written = await this.#sql.query<{ step_id: string; last_seq: number }>(APPEND, [
        rows.map(({ stream }) => stream.speaker.runPk),
        rows.map(({ stream }) => stream.speaker.stepId),
        rows.map(({ stream }) => stream.speaker.attempt),
        rows.map(({ event }) => event.type),
        rows.map(({ event }) => JSON.stringify(event.payload)),
      ]);
      const seqs = new Map(written.map((row) => [row.step_id, row.last_seq]));
      for (const { stream } of batch) {
        const seq = seqs.get(stream.speaker.stepId);
        if (seq === undefined) stream.fence();
        else stream.written(seq);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'live events could not be written; they will be tried again');
      for (const { stream, said } of batch) stream.giveBack(said);
      throw error;
    }
  }
}
