/** Part `tokens`: how old a token is when it reaches a listener, with one stream and with many; and that none is lost. */
import { talk } from '../graphs.ts';
import type { Part, PartLimits, Row } from '../part.ts';
import { percentile } from '../statistics.ts';
import { STREAMS_PER_TENANT, type Bench } from '../system.ts';
import { ms } from '../table.ts';
import type { Frame } from '../client.ts';

const EVERY_MS = 40;
/** A process compiles what it runs often; what is measured comes after that. */
const WARM_UP_TOKENS = 50;
/**
 * A worker process runs 100 executions at once (temporal/worker/worker-slots.ts) and takes more tasks, which wait: with full workers
 * the last streams would never begin to speak.
 */
const STREAMS_PER_WORKER = 75;

interface Heard {
  readonly latencies: readonly number[];
  readonly wrong: number;
}

/** Puts a stream's text together, and notes how old each token was on arrival. */
class Listener {
  readonly latencies: number[] = [];
  #text = '';

  hear(frame: Frame): void {
    if (frame.type === 'token_reset') this.#text = '';
    if (frame.type !== 'token') return;
    const delta = String(frame['delta']);
    // A replay is what was said before this listener came: its age says nothing about the way.
    if (frame['replay'] === true) {
      this.#text = delta;
      return;
    }
    this.#text += delta;
    const now = performance.timeOrigin + performance.now();
    for (const [, sentAt] of delta.matchAll(/@([\d.]+) /g)) this.latencies.push(now - Number(sentAt));
  }

  /** Tokens that are missing, doubled, or out of place. */
  wrong(expected: number): number {
    const numbers = [...this.#text.matchAll(/(\d+)@/g)].map((match) => Number(match[1]));
    const misplaced = numbers.filter((number, at) => number !== at).length;
    return Math.max(misplaced, Math.abs(expected - numbers.length));
  }
}

async function listen(bench: Bench, streams: number, tokens: number): Promise<Heard> {
  // Nobody speaks before all are there: what is measured is streams, not starts.
  const input = { prompt: `tokens=${tokens} every=${EVERY_MS} together=${streams}` };
  const tenants = await Promise.all(
    Array.from({ length: Math.ceil(streams / STREAMS_PER_TENANT) }, async (_, number) => {
      const tenant = await bench.tenant(number);
      return { tenant, workflowId: await tenant.deploy('talk', talk()) };
    }),
  );
  const heard = await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      const listener = new Listener();
      const place = tenants[index % tenants.length];
      await place?.tenant.run(place.workflowId, input, (frame) => listener.hear(frame));
      return listener;
    }),
  );
  return {
    latencies: heard.flatMap((listener) => listener.latencies),
    wrong: heard.reduce((sum, listener) => sum + listener.wrong(tokens), 0),
  };
}

async function measure(bench: Bench, limits: PartLimits, streams: number, tokens: number): Promise<Heard> {
  limits.tell(`${streams} streams of ${tokens} tokens`);
  const removals: (() => Promise<void>)[] = [];
  for (let workers = 1; workers * STREAMS_PER_WORKER < streams; workers += 1) {
    removals.push(await bench.addWorker());
  }
  try {
    await listen(bench, Math.min(streams, STREAMS_PER_TENANT), WARM_UP_TOKENS);
    return await listen(bench, streams, tokens);
  } finally {
    await Promise.all(removals.map((remove) => remove()));
  }
}

export const tokens: Part = {
  name: 'tokens',
  summary: 'from the model to the listener, 25 tokens/s a stream, at 1 stream and at many',
  weight: 2,
  async run(bench, limits) {
    // Long enough for all streams to speak at the same time.
    const count = limits.quick ? 100 : 250;
    const one = await measure(bench, limits, 1, limits.quick ? 50 : 100);
    const many = await measure(bench, limits, limits.streams, count);
    const row = (streams: number, { latencies, wrong }: Heard): Row => ({
      workload: `token to listener, ${streams} ${streams === 1 ? 'stream' : 'streams'}`,
      service: `p50 ${ms(percentile(latencies, 0.5))}, p95 ${ms(percentile(latencies, 0.95))}, ${wrong} lost or doubled`,
      beside: null,
      ratio: null,
    });
    return {
      rows: [row(1, one), row(limits.streams, many)],
      values: {
        'token to listener p95 ms': percentile(many.latencies, 0.95),
        'tokens lost or doubled': one.wrong + many.wrong,
      },
    };
  },
};
