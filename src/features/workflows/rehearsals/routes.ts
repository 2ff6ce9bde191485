/** Routes of rehearsals, with their shapes: what a definition would have done with recorded runs. */
import { z } from 'zod';
import { VERDICTS } from '../../../engine/runs/rehearse/compare-walks.ts';
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import {
  completedAt,
  createdAt,
  createdBy,
  owningOrganizationId,
  startedAt,
  uniqueId,
} from '../../../platform/http/fields.ts';
import { cursors, eitherCursor, limit } from '../../../platform/http/paginate.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { json, moment, refusal, uuid, uuidParams } from '../../../platform/http/wire.ts';
import {
  cancel,
  listOfWorkflow,
  listRuns,
  readGroups,
  requestRehearsal,
  type RehearsalDeps,
} from './service.ts';
import type { RehearsalGroup, RehearsalRow, RehearsedRow } from './store.ts';

/** Runs of one rehearsal. */
const MAX_RUNS = 500;
const DEFAULT_RUNS = 200;

const verdict = z.enum(VERDICTS).meta({
  description:
    'What the definition would have done: `same`: the same way, effects and output; `other_output`; `branches`: another edge is taken; `new_effect`: something is sent of which nothing is recorded; `sends_other`: another request that changes something; `fails`, where the run did not; `cannot_tell`: see `doubt`',
});
const source = z
  .enum(['draft', 'live'])
  .meta({ description: 'The definition, as it was when the rehearsal was requested' });

const newRehearsal = z
  .object({
    definition: source.default('draft').meta({
      description: 'The definition that the runs are walked in: the saved draft, or the live deployment',
    }),
    runs: z
      .object({
        last: z.int().min(1).max(MAX_RUNS).default(DEFAULT_RUNS).meta({
          description: 'Number of the newest ended runs to walk; private and ephemeral ones are left out',
        }),
      })
      .default({ last: DEFAULT_RUNS })
      .meta({ description: 'The recorded runs' }),
  })
  .meta({ id: 'CreateRehearsal' });

const rehearsal = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: uuid.meta({ description: 'Id of the workflow' }),
    definition: source,
    definition_hash: z.string().meta({ description: 'SHA-256 of the definition, in hex' }),
    status: z
      .enum(['pending', 'running', 'completed', 'cancelled'])
      .meta({ description: 'A cancelled one keeps what it has found' }),
    total: z.int().meta({ description: 'Number of its runs' }),
    walked: z.int().meta({ description: 'Number of runs that are walked' }),
    counts: z.record(z.string(), z.int()).meta({ description: 'Number of runs by verdict' }),
    created_by: createdBy,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    expires_at: moment.meta({ description: 'When it is deleted, ISO 8601 UTC' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'Rehearsal' });

const difference = z
  .looseObject({
    kind: z.enum(['sends', 'asks', 'new_effect', 'reads', 'answer', 'fails', 'branches', 'output']).meta({
      description:
        '`sends`: another request that changes something; `asks`: another search, prompt or reading request; `new_effect`: nothing of the kind is recorded; `reads`: the answer of the same request is read in another way; `answer`: the answer of a person does not fit any more; `fails`; `branches`: another handle is selected; `output`: of the run',
    }),
    node_id: z.string().nullable().meta({ description: 'Id of the node; null for the run itself' }),
    visit: z.int().meta({ description: 'Number of the execution of the node, from 1; 0 for the run itself' }),
    item_index: z.int().meta({ description: 'Index of the item of a mapped node; -1: none' }),
    before: json.meta({
      description: 'The request, handle or error of the run; null: none, or too large',
    }),
    after: json.meta({ description: 'The same in the rehearsal' }),
    places: z.array(z.string()).meta({ description: 'JSON pointers of what differs, at most 20' }),
  })
  .meta({ id: 'RehearsalDifference' });

const firstChange = z
  .looseObject({
    node_id: z.string().meta({ description: 'Id of the node' }),
    visit: z.int().meta({ description: 'Number of the execution of the node' }),
    places: z.array(z.string()).meta({ description: 'JSON pointers of what differs in its output' }),
  })
  .nullable()
  .meta({ description: 'The first node, in the order of the walk, whose output is another one; null: none' });

const found = {
  run_pk: uuid.meta({ description: 'History id of the run' }),
  verdict,
  doubt: z.string().nullable().meta({
    description:
      'Why the record does not tell: `not_reproduced`, `not_ended`, `asks_other`, `reads_other`, `answer_not_accepted`, `values_deleted`, `definition_not_kept`, `too_large`, `too_long` or `not_walked`; null: it tells',
  }),
  group: z.string().meta({ description: 'Runs with the same differences have the same group' }),
  differences: z.array(difference).meta({ description: 'In the order of the walk, at most 50' }),
  first_change: firstChange,
};

const rehearsalWithGroups = rehearsal
  .extend({
    groups: z
      .array(
        z
          .looseObject({ ...found, runs: z.int().meta({ description: 'Number of runs in the group' }) })
          .meta({ id: 'RehearsalGroup' }),
      )
      .meta({
        description:
          'Runs with the same differences, the largest group first, at most 100; each with one of its runs',
      }),
  })
  .meta({ id: 'RehearsalWithGroups' });
const rehearsalList = z
  .looseObject({ rehearsals: z.array(rehearsal).meta({ description: 'The 50 newest, newest first' }) })
  .meta({ id: 'RehearsalList' });
const runQuery = z.object({
  verdict: z.enum(VERDICTS).optional().meta({ description: 'Only runs with this verdict' }),
  group: z.string().min(1).max(64).optional().meta({ description: 'Only runs of this group' }),
  limit: limit(50),
  cursor: eitherCursor,
});
const rehearsedRuns = z
  .looseObject({
    runs: z
      .array(z.looseObject(found).meta({ id: 'RehearsedRun' }))
      .meta({ description: 'The runs, newest first' }),
    ...cursors,
  })
  .meta({ id: 'RehearsedRunPage' });

const present = ({ source: definition, ...row }: RehearsalRow): object => ({
  ...row,
  definition,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
});

function presentFound(row: Omit<RehearsedRow, 'place'>): object {
  const change = row.first_change;
  return {
    run_pk: row.run_pk,
    verdict: row.verdict,
    doubt: row.doubt,
    group: row.group_key,
    differences: row.differences.map(({ nodeId, itemIndex, ...rest }) => ({
      ...rest,
      node_id: nodeId,
      item_index: itemIndex,
    })),
    first_change:
      change === null ? null : { node_id: change.nodeId, visit: change.visit, places: change.places },
  };
}

const presentGroup = (group: RehearsalGroup): object => ({ ...presentFound(group), runs: group.runs });

const example = present({
  id: 'c3d4e5f6-7081-492a-a3b4-c5d6e7f80910',
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  source: 'draft',
  definition_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  status: 'completed',
  total: 200,
  walked: 200,
  counts: { same: 187, sends_other: 11, branches: 2 },
  created_by: IDS.user,
  created_at: new Date(AT),
  started_at: new Date(AT),
  completed_at: new Date(AT),
  expires_at: new Date(AT),
});
const exampleFound: Omit<RehearsedRow, 'place'> = {
  run_pk: IDS.run,
  verdict: 'sends_other',
  doubt: null,
  group_key: '5d41402abc4b2a76',
  differences: [
    {
      kind: 'sends',
      nodeId: 'mail',
      visit: 1,
      itemIndex: -1,
      before: { door: 'http', request: { body: { subject: 'Your order' } } },
      after: { door: 'http', request: { body: { subject: 'Your order A17' } } },
      places: ['/request/body/subject'],
    },
  ],
  first_change: { nodeId: 'letter', visit: 1, places: ['/subject'] },
};

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
      'Walk the newest runs again in the draft or the live definition, and count what would have gone otherwise; nothing is sent',
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
      const wanted = { workflowId, source: body.definition, last: body.runs.last };
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
      replies: { 200: { runs: [presentFound(exampleFound)], next_cursor: null, previous_cursor: null } },
    },
    replies: { 200: rehearsedRuns },
    async handle({ deps, scope, params: { rehearsal_id: rehearsalId }, query }) {
      const page = await listRuns(deps, scope, { rehearsalId, ...query });
      return {
        status: 200,
        body: {
          runs: page.rows.map(presentFound),
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
