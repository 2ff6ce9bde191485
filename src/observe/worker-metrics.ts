/** Metrics of the worker process: Temporal workers, and the duration and use of nodes. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { registers } from './metrics.ts';

const polling = new Gauge({
  name: 'worker_polling',
  help: '1 while this Temporal worker asks for tasks',
  labelNames: ['worker'],
  registers,
});
const inFlight = new Gauge({
  name: 'worker_tasks_in_flight',
  help: 'Tasks that this Temporal worker has taken and not ended',
  labelNames: ['worker', 'kind'],
  registers,
});

const attempts = new Histogram({
  name: 'node_attempt_duration_seconds',
  help: 'Attempts of nodes that leave the process or run code, by what their work came to; its count is that of attempts',
  labelNames: ['kind', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
  registers,
});
const tokens = new Counter({
  name: 'model_tokens_total',
  help: "Tokens of models' replies; byok: on an organization's own account",
  labelNames: ['kind', 'direction', 'account'],
  registers,
});
const credits = new Counter({
  name: 'credits_used_total',
  help: 'Credits that nodes have used, as they use them',
  labelNames: ['kind'],
  registers,
});

/** Records an attempt. @param kind the type of its node */
export function noteAttempt(kind: string, outcome: 'completed' | 'failed', seconds: number): void {
  attempts.observe({ kind, outcome }, seconds);
}

/** Counts the tokens and credits of one reply or search. */
export function noteUse(use: {
  readonly kind: string;
  readonly isByok: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly credits: number;
}): void {
  const account = use.isByok ? 'byok' : 'managed';
  const { kind } = use;
  tokens.inc({ kind, direction: 'input', account }, Math.max(0, use.inputTokens));
  tokens.inc({ kind, direction: 'output', account }, Math.max(0, use.outputTokens));
  credits.inc({ kind }, Math.max(0, use.credits));
}

/** Current state of a Temporal worker. */
export interface WorkerLook {
  readonly isPolling: boolean;
  readonly workflowTasks: number;
  readonly activities: number;
}

/** Sets the gauges for the next scrape. @param looks by the worker's name, a fixed word */
export function noteWorkers(looks: Readonly<Record<string, WorkerLook>>): void {
  for (const [worker, look] of Object.entries(looks)) {
    polling.set({ worker }, look.isPolling ? 1 : 0);
    inFlight.set({ worker, kind: 'workflow' }, look.workflowTasks);
    inFlight.set({ worker, kind: 'activity' }, look.activities);
  }
}
