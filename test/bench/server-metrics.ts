/** What a measured process tells its operator (`GET /metrics`), read before and after a load. */

/** Of the measured processes, so that their metrics can be read. */
export const HEALTH_KEY = 'key-of-the-bench-for-metrics';
/** The process looks at its event loop this often; an idle loop is late by nothing, and reads as this. */
const LOOK_EVERY_MS = 200;

export class ServerMetrics {
  readonly #samples: ReadonlyMap<string, number>;

  private constructor(samples: ReadonlyMap<string, number>) {
    this.#samples = samples;
  }

  /** Reads them; figures of the event loop begin anew with each look. @throws when the process does not answer */
  static async of(url: string): Promise<ServerMetrics> {
    const response = await fetch(`${url}/metrics`, { headers: { 'x-health-api-key': HEALTH_KEY } });
    if (!response.ok) throw new Error(`metrics were answered ${response.status}`);
    return ServerMetrics.parse(await response.text());
  }

  /** @param text in the Prometheus format */
  static parse(text: string): ServerMetrics {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new ServerMetrics(
      new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))])),
    );
  }

  /** How late the event loop was, since the look before this one, in 99 of 100 turns at the most; ms. */
  get loopLagP99(): number {
    const seconds = this.#samples.get('nodejs_eventloop_lag_p99_seconds') ?? Number.NaN;
    return Math.max(0, seconds * 1_000 - LOOK_EVERY_MS);
  }

  /** By how much a counter has grown. */
  since(before: ServerMetrics, name: string): number {
    return (this.#samples.get(name) ?? 0) - (before.#samples.get(name) ?? 0);
  }

  /**
   * The value below which the share `p` of what a histogram has taken since lies, within its bucket by interpolation.
   * @param name with the labels beside `le`, such as `x_seconds{outcome="saved"}`
   */
  quantileSince(before: ServerMetrics, name: string, p: number): number {
    const [, base = name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
    const bucketOf = new RegExp(`^${base}_bucket\\{le="([^"]+)"${labels === '' ? '' : `,${labels}`}\\}$`);
    const buckets = [...this.#samples.keys()].flatMap((key) => {
      const [, bound] = bucketOf.exec(key) ?? [];
      return bound === undefined ? [] : [{ bound: Number(bound.replace('+Inf', 'Infinity')), key }];
    });
    const wanted = this.since(before, `${base}_count${labels === '' ? '' : `{${labels}}`}`) * p;
    let [floor, below] = [0, 0];
    for (const { bound, key } of buckets.toSorted((a, b) => a.bound - b.bound)) {
      const upTo = this.since(before, key);
      if (upTo >= wanted && bound < Infinity)
        return floor + ((bound - floor) * (wanted - below)) / Math.max(1, upTo - below);
      [floor, below] = [bound, upTo];
    }
    return Number.POSITIVE_INFINITY;
  }
}
