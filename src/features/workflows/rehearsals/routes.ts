/** Routes of rehearsals: what a definition would have done with recorded runs. */
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, uuidParams } from '../../../platform/http/wire.ts';
import { example, exampleFound, present, presentFound, presentGroup, presentRun } from './present.ts';
import {
  newRehearsal,
  rehearsal,
  rehearsalList,
  rehearsalWithGroups,
  rehearsedRuns,
  runQuery,
  type RunSelection,
} from './schema.ts';
import {
  cancel,
  listOfWorkflow,
  listRuns,
  readGroups,
  requestRehearsal,
  type RehearsalDeps,
} from './service.ts';
import { LOOKED_AT, type WalkableRuns } from './store.ts';

const toWalkable = ({ last, status, from, to, deployment_id, run_pks }: RunSelection): WalkableRuns => ({
  limit: run_pks?.length ?? last,
  lookedAt: LOOKED_AT,
  status: status === 'succeeded' ? 'completed' : (status ?? null),
  from: from === undefined ? null : new Date(from),
  to: to === undefined ? null : new Date(to),
  deploymentId: deployment_id ?? null,
  runPks: run_pks ?? null,
});

const route = routesFor<RehearsalDeps>();
const common = { tag: 'deployments', access: 'organization' } as const;
const ofWorkflow = { path: '/workflows/:workflow_id/rehearsals', params: uuidParams('workflow_id') } as const;
const one = '/rehearsals/:rehearsal_id';
const params = uuidParams('rehearsal_id');

export const rehearsalRoutes: readonly Route<RehearsalDeps>[] = [
  route({
    ...common,
    ...ofWorkflow,
    method: 'POST',
    operationId: 'createRehearsal',
    summary:
      'Walk recorded runs again in the draft or a stored version, and count what would have gone otherwise; nothing is sent',
    body: newRehearsal,
    bodyOptional: true,
    find: ({ deps, scope, params: { workflow_id: workflowId } }) => listOfWorkflow(deps, scope, workflowId),
    example: {
      request: { definition: 'draft', runs: { last: 200 } },
      replies: {
        202: { ...example, status: 'pending', walked: 0, counts: {}, started_at: null, completed_at: null },
      },
    },
    replies: { 202: rehearsal, 400: refusal, 409: refusal },
    handle: async ({ deps, scope, params: { workflow_id: workflowId }, body }) => {
      const wanted = {
        workflowId,
        definition: body.definition,
        runs: toWalkable(body.runs),
        setId: body.runs.run_pks === undefined ? (body.runs.set ?? null) : null,
      };
      return { status: 202, body: present(await requestRehearsal(deps, scope, wanted)) };
    },
  }),
  route({
    ...common,
    ...ofWorkflow,
    method: 'GET',
    operationId: 'listRehearsals',
    summary: 'List the 50 newest rehearsals of a workflow; they are kept for 30 days',
    example: { replies: { 200: { rehearsals: [example] } } },
    replies: { 200: rehearsalList },
    handle: async ({ deps, scope, params: { workflow_id: workflowId } }) => ({
      status: 200,
      body: { rehearsals: (await listOfWorkflow(deps, scope, workflowId)).map(present) },
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    params,
    operationId: 'getRehearsal',
    summary: 'Read a rehearsal: its progress, and runs with the same differences as groups',
    example: { replies: { 200: { ...example, groups: [{ ...presentFound(exampleFound), runs: 11 }] } } },
    replies: { 200: rehearsalWithGroups },
    async handle({ deps, scope, params: { rehearsal_id: rehearsalId } }) {
      const { rehearsal: row, groups } = await readGroups(deps, scope, rehearsalId);
      return { status: 200, body: { ...present(row), groups: groups.map(presentGroup) } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/runs`,
    params,
    operationId: 'listRehearsedRuns',
    summary: 'List the runs of a rehearsal with what would have gone otherwise',
    query: runQuery,
    example: {
      replies: { 200: { runs: [presentRun(exampleFound)], next_cursor: null, previous_cursor: null } },
    },
    replies: { 200: rehearsedRuns },
    async handle({ deps, scope, params: { rehearsal_id: rehearsalId }, query }) {
      const page = await listRuns(deps, scope, { rehearsalId, ...query });
      return {
        status: 200,
        body: {
          runs: page.rows.map(presentRun),
          next_cursor: page.nextCursor,
          previous_cursor: page.previousCursor,
        },
      };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/cancel`,
    params,
    operationId: 'cancelRehearsal',
    summary: 'Cancel a rehearsal; what it has found stays',
    isRepeatable: true,
    example: { replies: { 200: { ...example, status: 'cancelled' } } },
    replies: { 200: rehearsal },
    handle: async ({ deps, scope, params: { rehearsal_id: rehearsalId } }) => ({
      status: 200,
      body: present(await cancel(deps, scope, rehearsalId)),
    }),
  }),
];
