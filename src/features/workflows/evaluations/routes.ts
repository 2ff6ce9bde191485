/** Routes of evaluations: how definitions do on the cases of a saved set. */
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, uuidParams } from '../../../platform/http/wire.ts';
import {
  evaluation,
  evaluationList,
  evaluationQuery,
  evaluationWithResults,
  markBody,
  markParams,
  newEvaluation,
  trial,
  trialList,
  trialQuery,
} from './schema.ts';
import {
  cancelEvaluation,
  listEvaluations,
  listTrials,
  mark,
  readResults,
  requestEvaluation,
  requireEvaluation,
  type EvaluationApiDeps,
} from './service.ts';
import type { EvaluationRow } from './store.ts';
import type { DefinitionResult } from './summarize.ts';
import type { TrialRow } from './trial-store.ts';

const present = (row: EvaluationRow): object => ({
  id: row.id,
  organization_id: row.organization_id,
  workflow_id: row.workflow_id,
  set_id: row.set_id,
  graders: row.graders,
  trials: row.trials,
  max_credits: row.max_credits_mc / MILLICREDITS,
  status: row.status,
  total: row.total,
  done: row.done,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
});
const presentTrial = ({ place, used_mc, ...row }: TrialRow): object => ({
  ...row,
  number: place,
  credits: used_mc / MILLICREDITS,
});

const example = present({
  id: 'f6071829-3a4b-4c5d-96e7-f8091a2b3c4d',
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  set_id: 'd4e5f607-1829-4a3b-b4c5-d6e7f8091a2b',
  definitions: [],
  graders: [{ kind: 'equal', path: '/team' }],
  trials: 1,
  max_credits_mc: 50_000,
  status: 'completed',
  total: 40,
  done: 40,
  created_by: IDS.user,
  created_at: new Date(AT),
  started_at: new Date(AT),
  completed_at: new Date(AT),
  expires_at: new Date(AT),
});
const exampleResult: DefinitionResult = {
  definition: 'draft',
  definition_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  done: 40,
  passed: 38,
  failed: 2,
  cannot_tell: 0,
  pass_rate: 0.95,
  interval: { low: 0.835, high: 0.986 },
  trial_variance: null,
  credits: 12.4,
  p50_ms: 840,
  p95_ms: 2_310,
  marked: 0,
  judge_agreement: null,
};
const exampleTrial = presentTrial({
  place: 0,
  case_id: 'e5f60718-293a-4b4c-85d6-e7f8091a2b3c',
  name: 'A late parcel',
  run_pk: null,
  input: { text: 'My parcel is late' },
  expected: { team: 'shipping' },
  definition: 0,
  trial: 1,
  status: 'done',
  verdict: 'failed',
  doubt: null,
  grades: [{ grader: 0, passed: false, score: null, reason: '"billing", not "shipping"' }],
  output: { team: 'billing' },
  error: null,
  used_mc: 310,
  duration_ms: 812,
  mark: null,
});

const route = routesFor<EvaluationApiDeps>();
const common = { tag: 'evaluations', access: 'organization' } as const;
const all = '/evaluations';
const params = uuidParams('evaluation_id');
const one = `${all}/:evaluation_id`;

export const evaluationRoutes: readonly Route<EvaluationApiDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createEvaluation',
    summary:
      'Try the cases of a saved set in one or more definitions and grade the outputs; nothing outside is changed',
    body: newEvaluation,
    example: {
      request: { set: 'd4e5f607-1829-4a3b-b4c5-d6e7f8091a2b', graders: [{ kind: 'equal', path: '/team' }] },
      replies: { 202: { ...example, status: 'pending', done: 0, started_at: null, completed_at: null } },
    },
    replies: { 202: evaluation, 400: refusal, 404: refusal, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 202,
      body: present(await requestEvaluation(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listEvaluations',
    summary: 'List the evaluations of the organization, newest first; they are kept for 30 days',
    query: evaluationQuery,
    example: { replies: { 200: { evaluations: [example], next_cursor: null } } },
    replies: { 200: evaluationList },
    async handle({ deps, scope, query }) {
      const { rows, nextCursor } = await listEvaluations(deps, scope, query);
      return { status: 200, body: { evaluations: rows.map(present), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    params,
    method: 'GET',
    path: one,
    operationId: 'getEvaluation',
    summary: 'Read an evaluation: its progress, and how each definition does',
    example: { replies: { 200: { ...example, results: [exampleResult] } } },
    replies: { 200: evaluationWithResults },
    async handle({ deps, scope, params: { evaluation_id: id } }) {
      const { row, results } = await readResults(deps, scope, id);
      return { status: 200, body: { ...present(row), results } };
    },
  }),
  route({
    ...common,
    params,
    method: 'GET',
    path: `${one}/trials`,
    operationId: 'listEvaluationTrials',
    summary: 'List the trials of an evaluation: each case in each definition',
    query: trialQuery,
    example: { replies: { 200: { trials: [exampleTrial], next_cursor: null, previous_cursor: null } } },
    replies: { 200: trialList },
    async handle({ deps, scope, params: { evaluation_id: evaluationId }, query }) {
      const page = await listTrials(deps, scope, { evaluationId, ...query });
      return {
        status: 200,
        body: {
          trials: page.rows.map(presentTrial),
          next_cursor: page.nextCursor,
          previous_cursor: page.previousCursor,
        },
      };
    },
  }),
  route({
    ...common,
    params: markParams,
    method: 'PUT',
    path: `${one}/trials/:number/mark`,
    operationId: 'markEvaluationTrial',
    summary: 'Mark the output of a trial as good or not: the judging model is compared with it',
    body: markBody,
    find: ({ deps, scope, params: { evaluation_id: id } }) => requireEvaluation(deps, scope, id),
    example: { request: { mark: true }, replies: { 200: { ...exampleTrial, mark: true } } },
    replies: { 200: trial },
    handle: async ({ deps, scope, params: { evaluation_id: evaluationId, number: place }, body }) => ({
      status: 200,
      body: presentTrial(await mark(deps, scope, { evaluationId, place, mark: body.mark })),
    }),
  }),
  route({
    ...common,
    params,
    method: 'POST',
    path: `${one}/cancel`,
    operationId: 'cancelEvaluation',
    summary: 'Cancel an evaluation and its open runs; what it has found stays',
    isRepeatable: true,
    example: { replies: { 200: { ...example, status: 'cancelled' } } },
    replies: { 200: evaluation },
    handle: async ({ deps, scope, params: { evaluation_id: id } }) => ({
      status: 200,
      body: present(await cancelEvaluation(deps, scope, id)),
    }),
  }),
];
