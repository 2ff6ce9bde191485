/** Running runs that do not come forward: a worker takes their workflow tasks and completes none. */
import type { Sql } from '../../../base/db/client.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import type { ExecutionState, RunEngine } from '../engine.ts';
import { findStuckRuns } from '../ledger/read/open-runs.ts';

/** A running run without an event for so long is compared with Temporal. */
const SILENT_SECONDS = 120;
/** Those that are silent for longest: a diagnosis takes seconds. */
const MAX_COMPARED = 20;
const CONCURRENCY = 5;

/** Tells whether an open execution waits for another attempt of its workflow task. */
export const isStalled = ({ status, workflowTaskAttempt }: ExecutionState): boolean =>
  status === 'RUNNING' && workflowTaskAttempt > 1;

interface SilentRuns {
  /** Runs that were compared with Temporal. */
  readonly compared: number;
  readonly stalledRunPks: readonly string[];
}

/** Compares the runs that are silent for longest with Temporal. @throws TemporalUnavailable */
export async function findStalledRuns(sql: Sql, engine: Pick<RunEngine, 'describe'>): Promise<SilentRuns> {
  const silent = await findStuckRuns(sql, SILENT_SECONDS, MAX_COMPARED);
  const queries = new FairSemaphore({ capacity: CONCURRENCY, perOrganization: CONCURRENCY });
  const found = await Promise.all(
    silent.map((run) =>
      queries.run(run.organizationId, async () => (isStalled(await engine.describe(run)) ? [run.runPk] : [])),
    ),
  );
  return { compared: silent.length, stalledRunPks: found.flat() };
}
