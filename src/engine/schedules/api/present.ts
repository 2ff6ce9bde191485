/** Schedules as the API returns them. */
import { systemClock } from '../../../base/clock.ts';
import type { Schedule } from '../../../base/db/generated/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { presentTrigger } from '../../../platform/http/defined-row.ts';
import { presentListItem } from '../../runs/api/present.ts';
import { parseCron } from '../../../language/cron/cron.ts';
import { findNextTime } from '../../../language/cron/next-time.ts';
import { findDueStart } from './firings.ts';
import type { ScheduledRunRow } from './store.ts';

/** Returns the next due time; null while the schedule is disabled, and after `end_at`. */
function findNextRun(row: Schedule): Date | null {
  if (!row.enabled) return null;
  const next = findNextTime(
    parseCron(row.cronExpression),
    row.timezone,
    findDueStart(row, new Date(systemClock.now())),
  );
  return next !== null && row.endAt !== null && next > row.endAt ? null : next;
}

const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

export function presentSchedule(row: Schedule): object {
  return {
    id: row.id,
    organization_id: row.organizationId,
    workflow_id: row.workflowId,
    name: row.name,
    trigger: presentTrigger(row),
    cron_expression: row.cronExpression,
    timezone: row.timezone,
    input: row.input,
    config: row.config,
    enabled: row.enabled,
    overlap_policy: row.overlapPolicy,
    catchup_window_seconds: row.catchupWindowSeconds,
    start_at: moment(row.startAt),
    end_at: moment(row.endAt),
    max_runs: row.maxRuns,
    consecutive_failures: row.consecutiveFailures,
    disabled_reason: row.disabledReason,
    next_run_at: moment(findNextRun(row)),
    last_run_at: moment(row.lastRunAt),
    last_run_id: row.lastRunId,
    run_count: row.runCount,
    skipped_count: row.skippedCount,
    last_skipped_at: moment(row.lastSkippedAt),
    last_skipped_run_id: row.lastSkippedRunId,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** An item of the run history, with the time at which it was due. */
export function presentScheduledRun(row: ScheduledRunRow): JsonObject {
  return { ...presentListItem(row), scheduled_at: row.scheduled_at.toISOString() };
}
