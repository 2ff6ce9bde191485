/** Routes of /schedules (SPEC API-roles: schedules are for owners and admins). */
import { presentPage } from '../../../platform/http/cursor-page.ts';
import { systemClock } from '../../../base/clock.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import { presentFirings } from './firings.ts';
import { presentSchedule, presentScheduledRun } from './present.ts';
import {
  firingsQuery,
  scheduleListQuery,
  newSchedule,
  runsQuery,
  schedule,
  scheduleChange,
  scheduleFirings,
  scheduleList,
  scheduleRuns,
} from './schema.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findSchedule,
  listSchedules,
  listRuns,
  triggerSchedule,
  type SchedulesDeps,
} from './service.ts';

const route = routesFor<SchedulesDeps>();

const common = { tag: 'schedules', access: 'organization' } as const;
const params = uuidParams('schedule_id');
const one = '/schedules/:schedule_id';

/** Builds the route that sets `enabled`: pause or resume. */
const buildSwitchRoute = (verb: 'pause' | 'resume'): Route<SchedulesDeps> =>
  route({
    ...common,
    method: 'POST',
    path: `${one}/${verb}`,
    operationId: `${verb}Schedule`,
    isRepeatable: true,
    summary: verb === 'pause' ? 'Stop firing until it is resumed' : 'Fire again from now on',
    params,
    replies: { 200: schedule, 409: refusal },
    async handle({ deps, scope, params: { schedule_id: scheduleId } }) {
      const body = { enabled: verb === 'resume' };
      return { status: 200, body: presentSchedule(await changeSchedule(deps, scope, { scheduleId, body })) };
    },
  });

export const scheduleRoutes: readonly Route<SchedulesDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: '/schedules',
    operationId: 'createSchedule',
    namesOrganization: true,
    summary: 'Create a schedule that runs the live deployment of a workflow',
    body: newSchedule,
    replies: { 201: schedule, 404: refusal },
    async handle({ deps, scope, body }) {
      return { status: 201, body: presentSchedule(await createSchedule(deps, scope, body)) };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/schedules',
    operationId: 'listSchedules',
    summary: 'List the schedules of the organization, newest first',
    query: scheduleListQuery,
    replies: { 200: scheduleList },
    async handle({ deps, scope, query }) {
      const page = await listSchedules(deps, scope, query);
      return {
        status: 200,
        body: { schedules: page.rows.map(presentSchedule), ...presentPage(page, query) },
      };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getSchedule',
    summary: 'Retrieve a schedule',
    params,
    replies: { 200: schedule },
    async handle({ deps, scope, params: { schedule_id: scheduleId } }) {
      return { status: 200, body: presentSchedule(await findSchedule(deps, scope, scheduleId)) };
    },
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateSchedule',
    summary: 'Update a schedule',
    params,
    body: scheduleChange,
    find: ({ deps, scope, params }) => findSchedule(deps, scope, params.schedule_id),
    replies: { 200: schedule, 409: refusal },
    async handle({ deps, scope, params: { schedule_id: scheduleId }, body }) {
      return { status: 200, body: presentSchedule(await changeSchedule(deps, scope, { scheduleId, body })) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule; the records of its runs are kept',
    params,
    replies: { 200: success, 409: refusal },
    async handle({ deps, scope, params: { schedule_id: scheduleId } }) {
      await deleteSchedule(deps, scope, scheduleId);
      return { status: 200, body: { success: true, message: 'Schedule deleted' } };
    },
  }),
  buildSwitchRoute('pause'),
  buildSwitchRoute('resume'),
  route({
    ...common,
    method: 'POST',
    path: `${one}/trigger`,
    operationId: 'triggerSchedule',
    summary: 'Trigger a schedule now, under its overlap policy; the run appears in its runs',
    params,
    replies: { 202: success, 409: refusal, 503: refusal },
    async handle({ deps, scope, params: { schedule_id: scheduleId } }) {
      await triggerSchedule(deps, scope, scheduleId);
      return { status: 202, body: { success: true, message: 'Schedule triggered' } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/runs`,
    operationId: 'listScheduleRuns',
    summary: 'List the runs of a schedule, newest first',
    params,
    query: runsQuery,
    replies: { 200: scheduleRuns },
    async handle({ deps, scope, params: { schedule_id: scheduleId }, query }) {
      const page = await listRuns(deps, scope, { scheduleId, ...query });
      return { status: 200, body: { runs: page.rows.map(presentScheduledRun), ...presentPage(page, query) } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/firings`,
    operationId: 'listScheduleFirings',
    summary: 'List the next times of a schedule, and those that a daylight saving change skips or repeats',
    params,
    query: firingsQuery,
    replies: { 200: scheduleFirings },
    async handle({ deps, scope, params: { schedule_id: scheduleId }, query: { limit } }) {
      const row = await findSchedule(deps, scope, scheduleId);
      return { status: 200, body: presentFirings(row, { limit, now: new Date(systemClock.now()) }) };
    },
  }),
];
