/** Numbers of the worker process, beside those of metrics.ts: which of its Temporal workers poll, and what they have in hand. */
import { Gauge } from 'prom-client';
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

/** One Temporal worker as it is at this moment. */
export interface WorkerLook {
  readonly isPolling: boolean;
  readonly workflowTasks: number;
  readonly activities: number;
}

/** What is so at this moment, for the next look. `looks` is keyed by the worker's name, a closed word. */
export function noteWorkers(looks: Readonly<Record<string, WorkerLook>>): void {
  for (const [worker, look] of Object.entries(looks)) {
    polling.set({ worker }, look.isPolling ? 1 : 0);
    inFlight.set({ worker, kind: 'workflow' }, look.workflowTasks);
    inFlight.set({ worker, kind: 'activity' }, look.activities);
  }
}
