/** The bench would report wrong rates and percentiles of a server. */
import { expect, test } from 'vitest';
import { ServerMetrics } from './server-metrics.ts';

const metrics = (upTo5: number, upTo10: number, all: number): ServerMetrics =>
  ServerMetrics.parse(`# HELP saves_seconds Saves
saves_seconds_bucket{le="0.01",outcome="saved"} ${upTo10}
saves_seconds_bucket{le="0.005",outcome="saved"} ${upTo5}
saves_seconds_bucket{le="+Inf",outcome="saved"} ${all}
saves_seconds_bucket{le="+Inf",outcome="unknown"} 99
saves_seconds_count{outcome="saved"} ${all}
nodejs_eventloop_lag_p99_seconds 0.2025
`);

test('a quantile lies within the bucket that holds it, of what came since', () => {
  const [before, after] = [metrics(1_000, 1_000, 1_000), metrics(1_080, 1_100, 1_100)];
  const save = 'saves_seconds{outcome="saved"}';
  expect(after.since(before, 'saves_seconds_count{outcome="saved"}')).toBe(100);
  expect(after.quantileSince(before, save, 0.4)).toBeCloseTo(0.0025);
  expect(after.quantileSince(before, save, 0.9)).toBeCloseTo(0.0075);
  expect(metrics(1_000, 1_000, 1_100).quantileSince(before, save, 0.9)).toBe(Infinity);
});

test('the event loop is late by what is beyond its own beat', () => {
  expect(metrics(0, 0, 0).loopLagP99).toBeCloseTo(2.5);
});
