/** The verbs of schedules. The row decides; Temporal is told out of band, but for a firing by hand. */
import type { Scope } from '../../access/caller.ts';
import type { Db } from '../../db/client.ts';
import { conflict, invalid, notFound, unavailable } from '../../errors.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { Logger } from '../../log.ts';
import type { ScheduleEngine } from '../../schedules/schedule-engine.ts';
import { readOrder } from '../../schedules/schedule-outbox.ts';
import type { ScheduleSyncer } from '../../schedules/schedule-syncer.ts';
import type { NewSchedule, ScheduleChange } from './schema.ts';
import {
  deleteScheduleRow,
  insertSchedule,
  listScheduledRuns,
  listSchedules,
  selectSchedule,
  updateSchedule,
  type Page,
  type ScheduledRunRow,
  type ScheduleFields,
  type ScheduleRow,
} from './store.ts';

export interface SchedulesDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly scheduleEngine: ScheduleEngine;
  readonly scheduleSyncer: Pick<ScheduleSyncer, 'kick'>;
}

type WriteDeps = Pick<SchedulesDeps, 'db' | 'scheduleSyncer'>;

const ENGINE_RETRY_SECONDS = 5;

const instant = (text: string | null | undefined): Date | null =>
  text === undefined || text === null ? null : new Date(text);

function requireOrder({ start_at: startAt, end_at: endAt }: ScheduleFields): void {
  if (startAt === null || endAt === null || startAt < endAt) return;
  throw invalid([{ loc: ['body', 'end_at'], msg: 'Must be after start_at', type: 'datetime_order' }]);
}

/**
 * @throws ApiError 404 when the organization has no such workflow; 422 for an end that is not after the start. Whether
 *   the workflow is deployed is asked when the schedule fires.
 */
export async function createSchedule(deps: WriteDeps, scope: Scope, body: NewSchedule): Promise<ScheduleRow> {
  const fields: ScheduleFields = {
    name: body.name,
    cron_expression: body.cron_expression,
    timezone: body.timezone ?? 'UTC',
    input: body.input ?? {},
    config: (body.config ?? {}) as JsonObject,
    enabled: body.enabled,
    overlap_policy: body.overlap_policy,
    catchup_window_seconds: body.catchup_window_seconds,
    start_at: instant(body.start_at),
    end_at: instant(body.end_at),
    max_runs: body.max_runs ?? null,
  };
  requireOrder(fields);
  const { organizationId, caller } = scope;
  const owner = { organizationId, userId: caller.userId, workflowId: body.workflow_id };
  const row = await insertSchedule(deps.db, owner, fields);
  if (row === null) throw notFound('Workflow');
  deps.scheduleSyncer.kick();
  return row;
}

/** @throws ApiError 404 */
export async function findSchedule(
  deps: Pick<SchedulesDeps, 'db'>,
  scope: Scope,
  scheduleId: string,
): Promise<ScheduleRow> {
  const row = await selectSchedule(deps.db, { organizationId: scope.organizationId, scheduleId });
  if (row === null) throw notFound('Schedule');
  return row;
}

function changed(row: ScheduleRow, body: ScheduleChange): ScheduleFields {
  return {
    name: body.name ?? row.name,
    cron_expression: body.cron_expression ?? row.cron_expression,
    timezone: body.timezone ?? row.timezone,
    input: body.input ?? row.input,
    config: (body.config as JsonObject | undefined) ?? row.config,
    enabled: body.enabled ?? row.enabled,
    overlap_policy: body.overlap_policy ?? row.overlap_policy,
    catchup_window_seconds: body.catchup_window_seconds ?? row.catchup_window_seconds,
    start_at: body.start_at === undefined ? row.start_at : instant(body.start_at),
    end_at: body.end_at === undefined ? row.end_at : instant(body.end_at),
    max_runs: body.max_runs === undefined ? row.max_runs : body.max_runs,
  };
}

const hadItsRuns = (row: ScheduleRow, maxRuns: number | null): boolean =>
  maxRuns !== null && row.run_count >= maxRuns;

/**
 * Changes the supplied fields.
 * @throws ApiError 404; 409 when it would be enabled with all its `max_runs` behind it; 422 as createSchedule
 */
export async function changeSchedule(
  deps: WriteDeps,
  scope: Scope,
  { scheduleId, body }: { readonly scheduleId: string; readonly body: ScheduleChange },
): Promise<ScheduleRow> {
  const saved = await deps.db.transaction(async (tx) => {
    const row = await selectSchedule(tx, { organizationId: scope.organizationId, scheduleId }, true);
    if (row === null) throw notFound('Schedule');
    if (Object.values(body).every((value) => value === undefined)) return row;
    const fields = changed(row, body);
    requireOrder(fields);
    if (fields.enabled && hadItsRuns(row, fields.max_runs)) {
      throw conflict(`All ${fields.max_runs} runs of the schedule have been made; raise max_runs first`);
    }
    return updateSchedule(tx, scheduleId, fields);
  });
  deps.scheduleSyncer.kick();
  return saved;
}

/** Removes the schedule; its runs keep their records, and those under way go on. @throws ApiError 404 */
export async function deleteSchedule(deps: WriteDeps, scope: Scope, scheduleId: string): Promise<void> {
  if (!(await deleteScheduleRow(deps.db, scope.organizationId, scheduleId))) throw notFound('Schedule');
  deps.scheduleSyncer.kick();
}

/**
 * Fires a schedule now, disabled ones included, under its overlap policy. Two firings within one second are one.
 * @throws ApiError 404; 409 with all its `max_runs` behind it; 503 when Temporal does not answer
 */
export async function triggerSchedule(deps: SchedulesDeps, scope: Scope, scheduleId: string): Promise<void> {
  const row = await findSchedule(deps, scope, scheduleId);
  if (hadItsRuns(row, row.max_runs)) {
    throw conflict(`All ${row.max_runs} runs of the schedule have been made; raise max_runs first`);
  }
  const order = await readOrder(deps.db, scheduleId);
  if (order === null) throw notFound('Schedule');
  const { scheduleEngine } = deps;
  try {
    if (await scheduleEngine.trigger(order)) return;
    // It is so new that Temporal has not heard of it.
    await scheduleEngine.put(order);
    if (await scheduleEngine.trigger(order)) return;
  } catch (error) {
    deps.log.warn({ err: error, schedule_id: scheduleId }, 'a schedule could not be fired by hand');
  }
  throw unavailable('The schedule could not be fired now', ENGINE_RETRY_SECONDS);
}

/** A page, newest first, and whether there is another. */
export async function listPage(
  deps: Pick<SchedulesDeps, 'db'>,
  scope: Scope,
  page: Page & { readonly workflowId: string | null },
): Promise<{ readonly rows: readonly ScheduleRow[]; readonly hasMore: boolean }> {
  const rows = await listSchedules(deps.db, scope.organizationId, page);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/** A page of the schedule's runs, newest first. @throws ApiError 404 */
export async function listRuns(
  deps: Pick<SchedulesDeps, 'db'>,
  scope: Scope,
  page: Page & { readonly scheduleId: string },
): Promise<{ readonly rows: readonly ScheduledRunRow[]; readonly hasMore: boolean }> {
  await findSchedule(deps, scope, page.scheduleId);
  const rows = await listScheduledRuns(deps.db, scope.organizationId, page);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}
