/** Metrics of runs, counted by the process that has written the change. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { registers } from './metrics.ts';

const ended = new Counter({
  name: 'runs_ended_total',
  help: 'Segments of runs that this process has brought to their end or to a question',
  labelNames: ['status'],
  registers,
});
const duration = new Histogram({
  name: 'run_duration_seconds',
  help: 'From the first advance of a segment to its end, or to a question',
  labelNames: ['status'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400],
  registers,
});
const startDelay = new Histogram({
  name: 'run_start_delay_seconds',
  help: 'From the acceptance of a run to its first advance',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  registers,
});

const stalled = new Gauge({
  name: 'runs_stalled',
  help: 'Silent runs whose workflow task has failed or timed out, of all processes, as the reconciler of this one has last seen',
  registers,
});

const budgetsReached = new Counter({
  name: 'budgets_reached_total',
  help: 'Budgets of organizations and workflows of which this process has told that 80 % or all is used',
  labelNames: ['percent'],
  registers,
});

/** Counts a budget of whose use endpoints were told. */
export const noteBudgetReached = (percent: number): void => budgetsReached.inc({ percent: String(percent) });

/** Counts an ended segment, however it was ended. @param status of its row */
export function noteRunEnded(status: string, seconds: number): void {
  ended.inc({ status });
  duration.observe({ status }, Math.max(0, seconds));
}

/** Records how long a run waited before its first advance. */
export function noteRunStarted(delaySeconds: number): void {
  startDelay.observe(Math.max(0, delaySeconds));
}

/** Sets the number of runs that do not come forward. */
export function noteStalledRuns(count: number): void {
  stalled.set(count);
}
