/**
 * One line a cause: the first failure of a server begins an outage, and the lines of its other failures are left out until it is over.
 * The log has a line at the begin, one a minute, and one at the end.
 */
import type { Clock } from '../base/clock.ts';
import type { Fold, Logger } from '../base/log.ts';

const REMINDER_MS = 60_000;
/** A server that fails now and then is one outage, not one for each failure. */
const QUIET_MS = 5_000;

interface Outage {
  readonly beganAtMs: number;
  failedAtMs: number;
  toldAtMs: number;
  leftOut: number;
}

interface OutageLogDeps {
  readonly clock: Clock;
  /** Names the server whose failure an error is; null when it is none. */
  readonly findCause: (error: unknown) => string | null;
}

export class OutageLog {
  readonly #deps: OutageLogDeps;
  readonly #outages = new Map<string, Outage>();
  #log: Logger | null = null;

  constructor(deps: OutageLogDeps) {
    this.#deps = deps;
  }

  /** Takes the log that outages are told in. */
  attach(log: Logger): void {
    this.#log = log;
  }

  /** Decides about a line by its error: `dependency` names the server, or else the error does. */
  readonly fold: Fold = (fields, message) => {
    if (typeof fields !== 'object' || fields === null || 'outage' in fields) return false;
    const { err, thrown, dependency } = fields as Readonly<Record<string, unknown>>;
    const error = err ?? thrown;
    const cause = typeof dependency === 'string' ? dependency : this.#deps.findCause(error);
    if (cause === null) return false;
    this.#note(cause, 'err' in fields ? { err: error, first: message } : { thrown: error, first: message });
    return true;
  };

  /** Notes a question that failed. */
  noteFailure(cause: string, error: unknown): void {
    this.#note(cause, { err: error });
  }

  /** Notes a question that was answered: the outage is over when nothing has failed since a while before it. */
  noteAnswer(cause: string, askedAtMs: number): void {
    const outage = this.#outages.get(cause);
    if (outage === undefined || askedAtMs - outage.failedAtMs < QUIET_MS) return;
    this.#outages.delete(cause);
    const { beganAtMs, leftOut } = outage;
    const seconds = Math.round((this.#deps.clock.monotonic() - beganAtMs) / 1_000);
    this.#log?.warn({ outage: cause, seconds, left_out: leftOut }, 'the outage is over');
  }

  #note(cause: string, fields: object): void {
    const nowMs = this.#deps.clock.monotonic();
    const outage = this.#outages.get(cause);
    if (outage === undefined) {
      this.#outages.set(cause, { beganAtMs: nowMs, failedAtMs: nowMs, toldAtMs: nowMs, leftOut: 0 });
      this.#log?.error({ outage: cause, ...fields }, 'an outage: further lines of this cause are left out');
      return;
    }
    outage.failedAtMs = nowMs;
    outage.leftOut += 1;
    if (nowMs - outage.toldAtMs < REMINDER_MS) return;
    outage.toldAtMs = nowMs;
    const seconds = Math.round((nowMs - outage.beganAtMs) / 1_000);
    this.#log?.error({ outage: cause, seconds, left_out: outage.leftOut, ...fields }, 'the outage goes on');
  }
}
