/** Routes of saved sets: cases of a workflow that evaluations and rehearsals name. */
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import {
  addedCases,
  caseList,
  caseQuery,
  evaluationSet,
  newCases,
  newSet,
  setChange,
  setList,
  setQuery,
} from './set-schema.ts';
import {
  addCases,
  changeSet,
  createSet,
  deleteCase,
  deleteSet,
  listCases,
  listEvaluationSets,
  requireSet,
  type SetDeps,
} from './set-service.ts';
import type { CaseRow, SetRow } from './set-store.ts';

const presentSet = (row: SetRow): object => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
const presentCase = ({ id, name, run_pk, input, expected, created_by, created_at }: CaseRow): object => ({
  id,
  name,
  run_pk,
  input,
  expected,
  created_by,
  created_at: created_at.toISOString(),
});

const exampleSet = presentSet({
  id: 'd4e5f607-1829-4a3b-b4c5-d6e7f8091a2b',
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  name: 'Refunds',
  description: 'Letters that were answered by hand',
  case_count: 2,
  bytes: 61,
  created_by: IDS.user,
  created_at: new Date(AT),
  updated_at: new Date(AT),
});
const exampleCase = presentCase({
  id: 'e5f60718-293a-4b4c-85d6-e7f8091a2b3c',
  place: 1,
  name: 'A late parcel',
  run_pk: null,
  input: { text: 'My parcel is late' },
  expected: { team: 'shipping' },
  created_by: IDS.user,
  created_at: new Date(AT),
});

const route = routesFor<SetDeps>();
const common = { tag: 'evaluations', access: 'organization' } as const;
const all = '/evaluation-sets';
const params = uuidParams('evaluation_set_id');
const one = `${all}/:evaluation_set_id`;
const cases = `${one}/cases`;

export const evaluationSetRoutes: readonly Route<SetDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createEvaluationSet',
    summary: 'Create a saved set of cases of a workflow',
    body: newSet,
    example: {
      request: { name: 'Refunds', workflow_id: IDS.workflow },
      replies: { 201: exampleSet },
    },
    replies: { 201: evaluationSet, 404: refusal, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: presentSet(await createSet(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listEvaluationSets',
    summary: 'List the saved sets of the organization, newest first',
    query: setQuery,
    example: { replies: { 200: { sets: [exampleSet], next_cursor: null } } },
    replies: { 200: setList },
    async handle({ deps, scope, query }) {
      const { rows, nextCursor } = await listEvaluationSets(deps, scope, query);
      return { status: 200, body: { sets: rows.map(presentSet), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    params,
    method: 'GET',
    path: one,
    operationId: 'getEvaluationSet',
    summary: 'Read a saved set',
    example: { replies: { 200: exampleSet } },
    replies: { 200: evaluationSet },
    handle: async ({ deps, scope, params: { evaluation_set_id: id } }) => ({
      status: 200,
      body: presentSet(await requireSet(deps, scope, id)),
    }),
  }),
  route({
    ...common,
    params,
    method: 'PATCH',
    path: one,
    operationId: 'updateEvaluationSet',
    summary: 'Change the supplied fields of a saved set',
    body: setChange,
    find: ({ deps, scope, params: { evaluation_set_id: id } }) => requireSet(deps, scope, id),
    example: { request: { name: 'Refunds of November' }, replies: { 200: exampleSet } },
    replies: { 200: evaluationSet, 409: refusal },
    handle: async ({ deps, scope, params: { evaluation_set_id: setId }, body }) => ({
      status: 200,
      body: presentSet(await changeSet(deps, scope, { setId, ...body })),
    }),
  }),
  route({
    ...common,
    params,
    method: 'DELETE',
    path: one,
    operationId: 'deleteEvaluationSet',
    summary: 'Delete a saved set with its cases and its evaluations',
    example: { replies: { 200: { success: true, message: 'Set deleted' } } },
    replies: { 200: success },
    async handle({ deps, scope, params: { evaluation_set_id: id } }) {
      await deleteSet(deps, scope, id);
      return { status: 200, body: { success: true, message: 'Set deleted' } };
    },
  }),
  route({
    ...common,
    params,
    method: 'POST',
    path: cases,
    operationId: 'addEvaluationCases',
    summary: 'Add cases to a saved set: recorded runs, or inputs with expected outputs; all or none',
    body: newCases,
    find: ({ deps, scope, params: { evaluation_set_id: id } }) => requireSet(deps, scope, id),
    example: {
      request: { cases: [{ input: { text: 'My parcel is late' }, expected: { team: 'shipping' } }] },
      replies: { 201: { added: 1, known: 0, case_count: 3 } },
    },
    replies: { 201: addedCases, 409: refusal },
    async handle({ deps, scope, params: { evaluation_set_id: setId }, body }) {
      const { added, known, caseCount } = await addCases(deps, scope, { setId, cases: body.cases });
      return { status: 201, body: { added, known, case_count: caseCount } };
    },
  }),
  route({
    ...common,
    params,
    method: 'GET',
    path: cases,
    operationId: 'listEvaluationCases',
    summary: 'List the cases of a saved set in their order',
    query: caseQuery,
    example: { replies: { 200: { cases: [exampleCase], next_cursor: null } } },
    replies: { 200: caseList },
    async handle({ deps, scope, params: { evaluation_set_id: setId }, query }) {
      const { rows, nextCursor } = await listCases(deps, scope, { setId, ...query });
      return { status: 200, body: { cases: rows.map(presentCase), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    params: uuidParams('evaluation_set_id', 'evaluation_case_id'),
    method: 'DELETE',
    path: `${cases}/:evaluation_case_id`,
    operationId: 'deleteEvaluationCase',
    summary: 'Remove a case from a saved set',
    example: { replies: { 200: { success: true, message: 'Case removed' } } },
    replies: { 200: success },
    async handle({ deps, scope, params: { evaluation_set_id: setId, evaluation_case_id: caseId } }) {
      await deleteCase(deps, scope, { setId, caseId });
      return { status: 200, body: { success: true, message: 'Case removed' } };
    },
  }),
];
