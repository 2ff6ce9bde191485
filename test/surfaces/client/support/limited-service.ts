/** A service with the limits of a key and of a user, at the network edge. */
import { json, type ScriptedServer } from './scripted-server.ts';

/** The service's own (src/engine/runs/stream/stream-semaphore.ts). */
const MAX_PER_USER = 20;
export interface Limits {
  /** Requests until the service refuses all, as after those of a minute. */
  readonly perWindow: number;
  /** The service's `Retry-After`. */
  readonly closedSeconds: number;
  /** The code of its refusals. */
  readonly code: string;
  /** Times that its seconds are shorter than real ones. */
  readonly speed: number;
}
const LIMITS: Limits = { perWindow: 200, closedSeconds: 1, code: 'api_key_rate_limited', speed: 1 };

const frame = (seq: number, type: string, more: object = {}): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ type, seq, run_id: 'r', ...more })}\n\n`;
const END = { status: 'completed', output: null };

/** Refuses what is too much by rate, and streams beyond those of a user. */
export class LimitedService {
  readonly started = new Map<string, string>();
  readonly refused: string[] = [];
  mostStreams = 0;
  #streams = 0;
  readonly #together: number;
  readonly #limits: Limits;
  readonly #held: (() => void)[] = [];
  #taken = 0;
  #closedUntilMs = 0;

  /** @param together the first streams end only when so many are open at once */
  constructor(together = 1, limits: Partial<Limits> = {}) {
    this.#together = together;
    this.#limits = { ...LIMITS, ...limits };
  }

  readonly handle: ScriptedServer['handler'] = ({ url, headers }, response) => {
    const { perWindow, closedSeconds, code: limit, speed } = this.#limits;
    const nowMs = performance.now() * speed;
    if (this.#taken >= perWindow) [this.#taken, this.#closedUntilMs] = [0, nowMs + closedSeconds * 1_000];
    const refuse = (code: string): void => {
      this.refused.push(code);
      const headers = { 'retry-after': String(closedSeconds), 'x-error-code': code };
      json(response, 429, { detail: code }, headers);
    };
    if (nowMs < this.#closedUntilMs) return refuse(limit);
    this.#taken += 1;
    if (url === '/workflows/run') {
      const key = String(headers['idempotency-key']);
      if (!this.started.has(key)) this.started.set(key, `run-${this.started.size}`);
      return json(response, 200, { run_id: this.started.get(key), thread_id: null });
    }
    if (!url.startsWith('/workflows/listen/')) return json(response, 200, {});
    if (this.#streams >= MAX_PER_USER) return refuse('too_many_streams');
    this.#streams += 1;
    this.mostStreams = Math.max(this.mostStreams, this.#streams);
    response.once('close', () => (this.#streams -= 1));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(1, 'run_started'));
    this.#held.push(() => response.end(frame(2, 'progress') + frame(3, 'run_completed', END)));
    if (this.mostStreams >= this.#together) for (const end of this.#held.splice(0)) setImmediate(end);
  };
}
