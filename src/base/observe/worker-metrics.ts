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
  help: 'Duration of attempts of nodes that call a server or run code, by outcome',
  labelNames: ['kind', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
  registers,
});
const abandoned = new Counter({
  name: 'node_work_abandoned_total',
  help: 'Work of nodes that went on after its timeout or a cancellation, by the type of the node: its attempt has ended without it',
  labelNames: ['kind'],
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

const modelCredits = new Counter({
  name: 'model_credits_total',
  help: 'Credits of model calls and searches by model and workflow; other: models and workflows beyond the first 1,000 pairs',
  labelNames: ['model', 'workflow_id'],
  registers,
});
const modelWorkflowTokens = new Counter({
  name: 'model_workflow_tokens_total',
  help: 'Tokens of model calls by model and workflow, also on own accounts of organizations, which cost no credits',
  labelNames: ['model', 'workflow_id', 'direction'],
  registers,
});
const janitorSuccess = new Gauge({
  name: 'janitor_last_success_timestamp_seconds',
  help: 'When this process last deleted what has expired, or began to, by stage',
  labelNames: ['stage'],
  registers,
});
/** Pairs of a model and a workflow with labels of their own: a scrape stays below a megabyte. */
const MAX_PAIRS = 1_000;
const pairs = new Set<string>();

/** Chooses the labels of a pair. */
function labelPair(model: string, workflowId: string | null): { model: string; workflow_id: string } {
  const labels = { model, workflow_id: workflowId ?? 'none' };
  const pair = `${labels.workflow_id} ${model}`;
  if (!pairs.has(pair) && pairs.size >= MAX_PAIRS) return { model: 'other', workflow_id: 'other' };
  pairs.add(pair);
  return labels;
}

/** Records an attempt. @param kind the type of its node */
export function noteAttempt(kind: string, outcome: 'completed' | 'failed', seconds: number): void {
  attempts.observe({ kind, outcome }, seconds);
}

/** Counts work that its attempt has left behind. @param kind the type of its node, or `ingest` */
export function noteAbandonedWork(kind: string): void {
  abandoned.inc({ kind });
}

/** Counts the tokens and credits of one reply or search. */
export function noteUse(use: {
  readonly kind: string;
  readonly model: string;
  readonly workflowId: string | null;
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
  const pair = labelPair(use.model, use.workflowId);
  modelCredits.inc(pair, Math.max(0, use.credits));
  modelWorkflowTokens.inc({ ...pair, direction: 'input' }, Math.max(0, use.inputTokens));
  modelWorkflowTokens.inc({ ...pair, direction: 'output' }, Math.max(0, use.outputTokens));
}

/** Current state of a Temporal worker. */
export interface WorkerStatus {
  readonly isPolling: boolean;
  readonly workflowTasks: number;
  readonly activities: number;
}

/** Sets the gauges for the next scrape. @param statuses by the worker's name, a fixed word */
export function noteWorkers(statuses: Readonly<Record<string, WorkerStatus>>): void {
  for (const [worker, status] of Object.entries(statuses)) {
    polling.set({ worker }, status.isPolling ? 1 : 0);
    inFlight.set({ worker, kind: 'workflow' }, status.workflowTasks);
    inFlight.set({ worker, kind: 'activity' }, status.activities);
  }
}

/** Records that a stage of the janitor has succeeded. */
export function noteJanitorSuccess(stage: string): void {
  janitorSuccess.setToCurrentTime({ stage });
}
