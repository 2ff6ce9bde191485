/** Rows of schedules in the words of the wire. */
import type { JsonObject } from '../../graph/value.ts';
import { presentListItem } from '../../runs/api/present.ts';
import { parseCron } from '../../schedules/cron.ts';
import { nextTime } from '../../schedules/next-time.ts';
import type { ScheduledRunRow, ScheduleRow } from './store.ts';

/** When it is due next; null while it is disabled, and beyond `end_at`. */
function nextRunAt(row: ScheduleRow): Date | null {
  if (!row.enabled) return null;
  const now = new Date();
  // A time at `start_at` itself is due.
  const after = row.start_at === null ? now : new Date(Math.max(now.getTime(), row.start_at.getTime() - 1));
  const next = nextTime(parseCron(row.cron_expression), row.timezone, after);
  return next !== null && row.end_at !== null && next > row.end_at ? null : next;
}

const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

export function presentSchedule(row: ScheduleRow): JsonObject {
  return {
    id: row.id,
    organization_id: row.organization_id,
    workflow_id: row.workflow_id,
    name: row.name,
    cron_expression: row.cron_expression,
    timezone: row.timezone,
    input: row.input,
    config: row.config,
    enabled: row.enabled,
    overlap_policy: row.overlap_policy,
    catchup_window_seconds: row.catchup_window_seconds,
    start_at: moment(row.start_at),
    end_at: moment(row.end_at),
    max_runs: row.max_runs,
    consecutive_failures: row.consecutive_failures,
    disabled_reason: row.disabled_reason,
    next_run_at: moment(nextRunAt(row)),
    last_run_at: moment(row.last_run_at),
    last_run_id: row.last_run_id,
    run_count: row.run_count,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** An item of the run history, and the time that it was due at. */
export function presentScheduledRun(row: ScheduledRunRow): JsonObject {
  return { ...presentListItem(row), scheduled_at: row.scheduled_at.toISOString() };
}
