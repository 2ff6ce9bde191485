/** Other worker processes over the same database, as far as their leases tell: alive for good, until the test loses them. */
import { randomUUID } from 'node:crypto';
import { createExecuteDeps, type ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';

export interface OtherWorker {
  readonly deps: ExecuteDeps;
  /** It renews its lease no more: what it holds may be taken over. */
  lose(): Promise<void>;
}

export async function startOtherWorker(own: ExecuteDeps): Promise<OtherWorker> {
  const { db } = own;
  const workerId = randomUUID();
  await db.query(
    `INSERT INTO worker_leases (worker_id, since, renewed_at)
     VALUES ($1, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
    [workerId],
  );
  return {
    deps: createExecuteDeps({ ...own, worker: { workerId, queue: `worker-${workerId}` } }),
    lose: async () => void (await db.query('DELETE FROM worker_leases WHERE worker_id = $1', [workerId])),
  };
}
