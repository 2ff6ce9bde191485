/** Creates, changes, deletes, triggers and lists schedules. The outbox updates Temporal from the row; a trigger calls it directly. */
import { readCursorPage, type CursorPage, type PageQuery } from '../../../platform/http/cursor-page.ts';
import { requireChangeable, requireDeletable } from '../../../platform/http/defined-row.ts';
import { pageByTime } from '../../../base/db/keyset.ts';
import type { Config } from '../../../base/config/config.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import { resolveOwnerScope } from '../../../platform/access/membership.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Prisma, Schedule } from '../../../base/db/generated/client.ts';
import { conflict, invalid, notFound, unavailable } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import type { Dispatcher } from '../../../platform/outbox/dispatcher.ts';
import { requireStartDepth } from '../../runs/accept/limits.ts';
import { writeFiredDepth } from '../fired-depth.ts';
import type { ScheduleEngine } from '../schedule-engine.ts';
import { readOrder } from '../schedule-orders.ts';
import type { NewSchedule, ScheduleChange } from './schema.ts';
import { listScheduledRuns, type ScheduledRunRow } from './store.ts';

export interface SchedulesDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
  readonly log: Logger;
  readonly scheduleEngine: ScheduleEngine;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
}

type WriteDeps = Pick<SchedulesDeps, 'db' | 'dispatcher'>;

const ENGINE_RETRY_SECONDS = 5;

const instant = (text: string | null | undefined): Date | null =>
  text === undefined || text === null ? null : new Date(text);

function requireStartBeforeEnd(startAt: Date | null, endAt: Date | null): void {
  if (startAt === null || endAt === null || startAt < endAt) return;
  throw invalid([{ loc: ['body', 'end_at'], msg: 'Must be after start_at', type: 'datetime_order' }]);
}

/**
 * @throws ApiError 403 when the body names an organization that the caller may not act in; 404 when the organization
 *   that will own it has no such workflow; 422 for an end that is not after the start. Whether
 *   the workflow is deployed is checked when the schedule fires.
 */
export async function createSchedule(deps: WriteDeps, scope: Scope, body: NewSchedule): Promise<Schedule> {
  const { organizationId, caller } = await resolveOwnerScope(deps.db, scope, body.organization_id);
  const { prisma } = deps.db;
  const [startAt, endAt] = [instant(body.start_at), instant(body.end_at)];
  requireStartBeforeEnd(startAt, endAt);
  const workflows = await prisma.workflow.count({ where: { id: body.workflow_id, organizationId } });
  if (workflows === 0) throw notFound('Workflow');
  const row = await prisma.schedule.create({
    data: {
      organizationId,
      createdBy: caller.userId,
      workflowId: body.workflow_id,
      name: body.name,
      cronExpression: body.cron_expression,
      timezone: body.timezone ?? 'UTC',
      input: (body.input ?? {}) as Prisma.InputJsonObject,
      config: (body.config ?? {}) as Prisma.InputJsonObject,
      enabled: body.enabled,
      overlapPolicy: body.overlap_policy,
      catchupWindowSeconds: body.catchup_window_seconds,
      startAt,
      endAt,
      maxRuns: body.max_runs ?? null,
    },
  });
  deps.dispatcher.kick();
  return row;
}

/** @throws ApiError 404 */
export async function findSchedule(
  deps: Pick<SchedulesDeps, 'db'>,
  scope: Scope,
  scheduleId: string,
): Promise<Schedule> {
  const where = { id: scheduleId, organizationId: scope.organizationId };
  const row = await deps.db.prisma.schedule.findFirst({ where });
  if (row === null) throw notFound('Schedule');
  return row;
}

/** Returns the columns that a change writes. Enabling a schedule resets its failures and the reason why it was disabled. */
function changeFields(row: Schedule, body: ScheduleChange) {
  const enabled = body.enabled ?? row.enabled;
  return {
    name: body.name ?? row.name,
    cronExpression: body.cron_expression ?? row.cronExpression,
    timezone: body.timezone ?? row.timezone,
    input: (body.input ?? row.input) as Prisma.InputJsonObject,
    config: (body.config ?? row.config) as Prisma.InputJsonObject,
    enabled,
    overlapPolicy: body.overlap_policy ?? row.overlapPolicy,
    catchupWindowSeconds: body.catchup_window_seconds ?? row.catchupWindowSeconds,
    startAt: body.start_at === undefined ? row.startAt : instant(body.start_at),
    endAt: body.end_at === undefined ? row.endAt : instant(body.end_at),
    maxRuns: body.max_runs === undefined ? row.maxRuns : body.max_runs,
    disabledReason: enabled ? null : row.disabledReason,
    consecutiveFailures: enabled && !row.enabled ? 0 : row.consecutiveFailures,
    updatedAt: new Date(systemClock.now()),
  };
}

const isExhausted = (row: Schedule, maxRuns: number | null): boolean =>
  maxRuns !== null && row.runCount >= maxRuns;

/**
 * Changes the supplied fields.
 * @throws ApiError 404; 409 for what the definition of the workflow decides, and when it would be enabled after its `max_runs`; 422 as createSchedule
 */
export async function changeSchedule(
  deps: WriteDeps,
  scope: Scope,
  { scheduleId, body }: { readonly scheduleId: string; readonly body: ScheduleChange },
): Promise<Schedule> {
  const { organizationId } = scope;
  const where = { id: scheduleId, organizationId };
  const saved = await deps.db.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT id FROM schedules WHERE id = ${scheduleId}::uuid AND organization_id = ${organizationId}::uuid
      FOR NO KEY UPDATE`;
    const row = await tx.schedule.findFirst({ where });
    if (row === null) throw notFound('Schedule');
    if (Object.values(body).every((value) => value === undefined)) return row;
    requireChangeable('schedule', row, body, ['enabled']);
    const data = changeFields(row, body);
    requireStartBeforeEnd(data.startAt, data.endAt);
    if (data.enabled && isExhausted(row, data.maxRuns)) {
      throw conflict(
        'schedule_exhausted',
        `The schedule has reached its limit of ${data.maxRuns} runs. Raise max_runs first`,
      );
    }
    return tx.schedule.update({ where, data });
  });
  deps.dispatcher.kick();
  return saved;
}

/**
 * Deletes the schedule; its runs continue and keep their records.
 * @throws ApiError 404; 409 while the live version has its trigger
 */
export async function deleteSchedule(deps: WriteDeps, scope: Scope, scheduleId: string): Promise<void> {
  requireDeletable('schedule', await findSchedule(deps, scope, scheduleId));
  const where = { id: scheduleId, organizationId: scope.organizationId };
  if ((await deps.db.prisma.schedule.deleteMany({ where })).count === 0) throw notFound('Schedule');
  deps.dispatcher.kick();
}

/**
 * Fires a schedule now, also a disabled one, under its overlap policy. Two firings within one second count as one.
 * @throws ApiError 404; 409 after its `max_runs`; 422 for a run that is too deep; 503 when Temporal is
 *   unavailable
 */
export async function triggerSchedule(deps: SchedulesDeps, scope: Scope, scheduleId: string): Promise<void> {
  const row = await findSchedule(deps, scope, scheduleId);
  if (isExhausted(row, row.maxRuns)) {
    throw conflict(
      'schedule_exhausted',
      `The schedule has reached its limit of ${row.maxRuns} runs. Raise max_runs first`,
    );
  }
  const depth = requireStartDepth(scope);
  const order = await readOrder(deps.db, { organizationId: scope.organizationId, scheduleId });
  if (order === null) throw notFound('Schedule');
  if (depth > 0) await writeFiredDepth(deps.db, order, depth);
  const { scheduleEngine } = deps;
  try {
    if (await scheduleEngine.trigger(order)) return;
    // The outbox has not created it in Temporal yet.
    await scheduleEngine.put(order);
    if (await scheduleEngine.trigger(order)) return;
  } catch (error) {
    deps.log.warn({ err: error, schedule_id: scheduleId }, 'a schedule could not be triggered');
  }
  throw unavailable(
    'schedule_not_fired',
    'The schedule could not be triggered. Try again',
    ENGINE_RETRY_SECONDS,
  );
}

/** Lists a page of schedules, newest first. */
export async function listSchedules(
  { db, config }: Pick<SchedulesDeps, 'db' | 'config'>,
  { organizationId, caller }: Scope,
  query: PageQuery & { readonly workflow_id?: string | undefined },
): Promise<CursorPage<Schedule>> {
  const { workflow_id: workflowId } = query;
  const own = { organizationId, ...(workflowId === undefined ? {} : { workflowId }) };
  return readCursorPage(config.auth, query, {
    name: `schedules/${organizationId}/${caller.userId}`,
    read(page) {
      const { behind, ...rest } = pageByTime(page, 'createdAt');
      return db.prisma.schedule.findMany({ where: { ...own, AND: behind }, ...rest });
    },
    readPosition: ({ createdAt, id }) => ({ place: createdAt.getTime(), rowId: id }),
  });
}

/** Lists a page of the schedule's runs, newest first. @throws ApiError 404 */
export async function listRuns(
  deps: Pick<SchedulesDeps, 'db' | 'config'>,
  scope: Scope,
  { scheduleId, ...query }: PageQuery & { readonly scheduleId: string },
): Promise<CursorPage<ScheduledRunRow>> {
  const { id } = await findSchedule(deps, scope, scheduleId);
  const { organizationId, caller } = scope;
  return readCursorPage(deps.config.auth, query, {
    name: `schedule-runs/${organizationId}/${caller.userId}/${id}`,
    read: (page) => listScheduledRuns(deps.db, { organizationId, scheduleId: id }, page),
    readPosition: (row) => ({ place: row.scheduled_at.getTime(), rowId: row.id }),
  });
}
