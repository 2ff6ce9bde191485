/** Tells how far a data job is while its command waits for it: a large one takes minutes. */
import type { Clock } from '../base/clock.ts';
import type { DataJob } from '../features/data/jobs.ts';

const EVERY_MS = 5_000;

export class JobProgress {
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  #saidAtMs: number;

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
    this.#saidAtMs = clock.monotonic();
  }

  /** Notes that steps were taken; says it every five seconds. @param read the job as it is now */
  async note(read: () => Promise<DataJob | null>): Promise<void> {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#saidAtMs < EVERY_MS) return;
    this.#saidAtMs = nowMs;
    const job = await read();
    const counts = Object.entries(job?.counts ?? {}).map(([table, count]) => `${table} ${count}`);
    if (job !== null) this.#say(`${job.kind} so far: ${counts.join(', ') || 'nothing'}`);
  }
}
