/**
 * Deletes runs, or their values, after the retention of their workflow or else of their organization. A sweep reads runs by age, in
 * batches: its cost is that of what it deletes, not of what is stored.
 */
import type { Db, Sql } from '../../../../base/db/client.ts';
import { deleteTrees } from './delete-runs.ts';
import { deleteValues } from './delete-values.ts';

/** First segments below no other run; the index of runs with values has the same condition. */
const IS_TOP = 'r.parent_run_pk IS NULL AND r.resumed_from_run_pk IS NULL';

// A run that waits is open, however old it is. Runs whose steps a rerun needs are kept as long as it.
const buildExpired = (days: string, isTop: string, rerun: string): string => `
  SELECT due.id
  FROM (
    SELECT r.id, make_interval(days => o.${days}) AS kept
    FROM organizations o JOIN runs r ON r.organization_id = o.id
    WHERE o.${days} IS NOT NULL AND r.created_at < now() - make_interval(days => o.${days}) AND ${isTop}
      AND NOT EXISTS (SELECT 1 FROM workflow_retention w WHERE w.workflow_id = r.workflow_id AND w.${days} IS NOT NULL)
    UNION ALL
    SELECT r.id, make_interval(days => w.${days})
    FROM workflow_retention w JOIN runs r ON r.workflow_id = w.workflow_id AND r.organization_id = w.organization_id
    WHERE w.${days} IS NOT NULL AND r.created_at < now() - make_interval(days => w.${days}) AND ${isTop}
  ) AS due JOIN newest_segments n ON n.root_run_pk = due.id
  WHERE n.status IN ('completed', 'failed', 'cancelled') AND n.completed_at < now() - due.kept
    AND NOT EXISTS (SELECT 1 FROM runs s JOIN run_steps step ON step.run_pk = s.id
                    JOIN run_steps later ON later.reused_from = step.step_id JOIN runs rerun ON rerun.id = later.run_pk
                    WHERE s.root_run_pk = due.id AND later.root_run_pk <> due.id AND ${rerun})
  LIMIT $1`;
const EXPIRED_RUNS = buildExpired('run_retention_days', IS_TOP, 'true');
const EXPIRED_VALUES = buildExpired(
  'value_retention_days',
  `${IS_TOP} AND r.values_deleted_at IS NULL`,
  'rerun.values_deleted_at IS NULL',
);

// A run below an ephemeral run is ephemeral, too. It may wait for people longer than an hour, and while the run above it is open its
// credits are to be told with that one's: all go together. Those whose run above is gone already have none to wait for.
const EPHEMERAL_RUNS = `
  SELECT n.root_run_pk AS id FROM newest_segments n
  WHERE n.ephemeral AND n.status IN ('completed', 'failed', 'cancelled') AND n.completed_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM runs p WHERE p.id = n.parent_run_pk)
    AND NOT EXISTS (SELECT 1 FROM runs s JOIN newest_segments c ON c.parent_run_pk = s.id
                    WHERE s.root_run_pk = n.root_run_pk AND c.status IN ('running', 'interrupted'))
  LIMIT $1`;

/** Runs of one transaction: it takes tens of milliseconds, and others wait no longer. */
const BATCH = 100;
/** Runs of one sweep; the rest waits for the next one, a few minutes later. */
const MAX_SWEPT = 200_000;

/** @param remove deletes some of the runs and tells how many, each batch in a transaction of its own */
async function sweep(
  sql: Sql,
  expired: string,
  remove: (rootRunPks: readonly string[]) => Promise<number>,
): Promise<number> {
  let total = 0;
  while (total < MAX_SWEPT) {
    const rows = await sql.query<{ id: string }>(expired, [BATCH]);
    const removed = rows.length === 0 ? 0 : await remove(rows.map(({ id }) => id));
    total += removed;
    // None: others hold them open, or another worker has taken them.
    if (rows.length < BATCH || removed === 0) break;
  }
  return total;
}

/** Deletes runs after their retention. @returns how many */
export function deleteExpiredRuns(db: Sql & Pick<Db, 'transaction'>): Promise<number> {
  return sweep(db, EXPIRED_RUNS, (rootRunPks) => deleteTrees(db, rootRunPks));
}

/** Deletes ephemeral runs an hour after their end, when no stream needs them any more. @returns how many */
export function deleteEphemeralRuns(db: Sql & Pick<Db, 'transaction'>): Promise<number> {
  return sweep(db, EPHEMERAL_RUNS, (rootRunPks) => deleteTrees(db, rootRunPks));
}

/** Deletes the values of runs after their retention. @returns of how many runs */
export function deleteExpiredValues(db: Sql & Pick<Db, 'transaction'>): Promise<number> {
  return sweep(db, EXPIRED_VALUES, (rootRunPks) => db.transaction((tx) => deleteValues(tx, rootRunPks)));
}
