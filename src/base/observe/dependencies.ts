/**
 * Asks what a process relies on whether it works, every few seconds: gauges, readiness and the log read the last answer. One question
 * at a time is open to each, however long it takes.
 */
import { Gauge } from 'prom-client';
import type { Clock, Timer } from '../clock.ts';
import { registers } from './metrics.ts';

/** A gauge has no value before the first answer, so a process without a mail server has no `smtp_up`. */
function createGauge(name: string, subject: string): Gauge {
  const gauge = new Gauge({
    name,
    help: `1 when ${subject} answered this process at the last question`,
    registers,
  });
  gauge.remove();
  return gauge;
}

/** PostgreSQL and the schedules are counted at each scrape (metrics.ts). */
const gauges = {
  temporal: createGauge('temporal_up', 'Temporal, with the namespace,'),
  identity_provider: createGauge('identity_provider_up', 'the identity provider, with usable keys,'),
  model: createGauge('model_up', 'the server of the managed model'),
  embedding_model: createGauge('embedding_model_up', 'the server of the managed embedding model'),
  smtp: createGauge('smtp_up', 'the mail server, with the credentials of SMTP_URL,'),
} as const;

export type DependencyName = keyof typeof gauges | 'database' | 'schedules';

export interface Dependency {
  readonly name: DependencyName;
  readonly everyMs: number;
  /** Costs no credits and changes nothing. @throws when it does not work */
  ask(): Promise<unknown>;
}

/** Hears of each answer, to tell of outages in the log. */
interface AnswerListener {
  /** @param askedAtMs of the monotonic clock */
  noteAnswer(name: DependencyName, askedAtMs: number): void;
  noteFailure(name: DependencyName, error: unknown): void;
}

interface DependencyWatchDeps {
  readonly clock: Clock;
  readonly listener: AnswerListener;
  readonly dependencies: readonly Dependency[];
}

/** A longer silence counts as a failure. */
const PATIENCE_MS = 5_000;

export class DependencyWatch {
  readonly #deps: DependencyWatchDeps;
  readonly #failing = new Set<DependencyName>();
  readonly #timers = new Map<DependencyName, Timer>();
  #isStopped = false;

  constructor(deps: DependencyWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    for (const dependency of this.#deps.dependencies) void this.#ask(dependency);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) this.#deps.clock.clearTimeout(timer);
  }

  /** Lists what did not work when it was last asked. */
  listFailing(): DependencyName[] {
    return this.#deps.dependencies.map(({ name }) => name).filter((name) => this.#failing.has(name));
  }

  async #ask(dependency: Dependency): Promise<void> {
    const { clock, listener } = this.#deps;
    const { name, everyMs } = dependency;
    const askedAtMs = clock.monotonic();
    const answered = Promise.resolve().then(() => dependency.ask());
    try {
      await this.#awaitWithin(answered);
      this.#note(name, true);
      if (!this.#isStopped) listener.noteAnswer(name, askedAtMs);
    } catch (error) {
      this.#note(name, false);
      if (!this.#isStopped) listener.noteFailure(name, error);
    }
    // The next question waits for the end of this one, so that a silent server does not collect them.
    await answered.catch(() => undefined);
    if (this.#isStopped) return;
    this.#timers.set(
      name,
      clock.setTimeout(() => void this.#ask(dependency), everyMs),
    );
  }

  async #awaitWithin(answered: Promise<unknown>): Promise<void> {
    const { clock } = this.#deps;
    let timer: Timer | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = clock.setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    });
    try {
      await Promise.race([answered, silence]);
    } finally {
      if (timer !== undefined) clock.clearTimeout(timer);
    }
  }

  #note(name: DependencyName, isUp: boolean): void {
    if (isUp) this.#failing.delete(name);
    else this.#failing.add(name);
    if (name !== 'database' && name !== 'schedules') gauges[name].set(isUp ? 1 : 0);
  }
}
