/** Routes of budgets, for owners and admins, with their shapes. */
import { z } from 'zod';
import { COUNTED_DOORS, MAX_LIMIT, ON_LIMIT } from '../../language/graph/definition/limits.ts';
import { MILLICREDITS } from '../../platform/billing/plans.ts';
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';
import {
  createdAt,
  createdBy,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../platform/http/fields.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { moment, refusal, success, uuid, uuidParams } from '../../platform/http/wire.ts';
import {
  changeBudget,
  createBudget,
  deleteBudget,
  getBudget,
  listBudgets,
  type BudgetDeps,
  type BudgetRow,
} from './service.ts';

const count = z.int().min(0).max(MAX_LIMIT);
const limits = {
  max_credits: z.number().min(0).max(MAX_LIMIT).nullish().meta({
    description:
      'Credits, to a thousandth. Before each call the most that it may take is reserved; models on credentials of the organization take none. Null: no limit',
  }),
  max_model_calls: count.nullish().meta({ description: 'Calls of models, on any account. Null: no limit' }),
  max_effects: z
    .object(
      Object.fromEntries(
        COUNTED_DOORS.map((door) => [
          door,
          count.nullish().meta({ description: `Changes by ${door}. Null: no limit` }),
        ]),
      ),
    )
    .nullish()
    .meta({ description: 'Changes outside, by door; what only reads is not counted' }),
};
const ABOUT_ON_LIMIT =
  'Beyond a limit a node fails as `budget_exceeded` (`fail`, the default), or its run waits until an owner or an admin raises the limit for it or stops it (`ask`)';
const onLimit = z.enum(ON_LIMIT).nullish().meta({ description: ABOUT_ON_LIMIT });
const workflowId = uuid.nullish().meta({
  description:
    'Binds the runs of this workflow, with the sub-workflows that they call; null: all runs of the organization',
});
const period = z
  .enum(['day', 'month'])
  .meta({ description: 'The period, in UTC, after which the budget is whole again' });

const newBudget = z
  .object({ workflow_id: workflowId, period, ...limits, on_limit: onLimit })
  .meta({ id: 'CreateBudget' });
const budgetChange = z.object({ ...limits, on_limit: onLimit }).meta({ id: 'BudgetChange' });
const usage = z
  .looseObject({
    credits: z.number().meta({ description: 'Credits that are used' }),
    reserved_credits: z.number().meta({ description: 'Credits that calls under way may use' }),
    model_calls: z.int().meta({ description: 'Calls of models' }),
    effects: z.record(z.string(), z.int()).meta({ description: 'Changes by door' }),
  })
  .meta({ id: 'BudgetUsage' });
const budget = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: workflowId,
    period,
    ...limits,
    on_limit: z.enum(ON_LIMIT).meta({ description: ABOUT_ON_LIMIT }),
    used: usage.meta({
      description: 'What is used of it since the period began, or since it has been there',
    }),
    period_start: moment.meta({ description: 'Start of the current period, ISO 8601 UTC' }),
    period_end: moment.meta({ description: 'Start of the next period, ISO 8601 UTC' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Budget' });
const budgetList = z
  .looseObject({
    budgets: z
      .array(budget)
      .meta({ description: 'The budgets of the organization, then those of its workflows' }),
  })
  .meta({ id: 'BudgetList' });

const present = (row: BudgetRow): object => ({
  id: row.id,
  organization_id: row.organization_id,
  workflow_id: row.workflow_id,
  period: row.period,
  max_credits: row.max_credits_mc === null ? null : row.max_credits_mc / MILLICREDITS,
  max_model_calls: row.max_model_calls,
  max_effects: row.max_effects,
  on_limit: row.on_limit,
  used: {
    credits: row.used_mc / MILLICREDITS,
    reserved_credits: row.reserved_mc / MILLICREDITS,
    model_calls: row.model_calls,
    effects: row.effects,
  },
  period_start: row.period_start.toISOString(),
  period_end: row.period_end.toISOString(),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const given = {
  period: 'month',
  max_credits: 500,
  max_effects: { http: 2_000, message: 50 },
  on_limit: 'ask',
} as const;
const example = present({
  id: 'b2c3d4e5-6f70-4819-92a3-b4c5d6e7f809',
  organization_id: IDS.organization,
  workflow_id: null,
  period: given.period,
  max_credits_mc: given.max_credits * MILLICREDITS,
  max_model_calls: null,
  max_effects: given.max_effects,
  on_limit: 'ask',
  created_by: IDS.user,
  created_at: new Date(AT),
  updated_at: new Date(AT),
  period_start: new Date('2026-11-01T00:00:00Z'),
  period_end: new Date('2026-12-01T00:00:00Z'),
  used_mc: 12_500,
  reserved_mc: 400,
  model_calls: 210,
  effects: { http: 96 },
});

const route = routesFor<BudgetDeps>();
const common = { tag: 'subscriptions', access: 'organization', isAdministrative: true } as const;
const ofBudget = { params: uuidParams('budget_id') };
const all = '/budgets';
const one = `${all}/:budget_id`;

export const budgetRoutes: readonly Route<BudgetDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createBudget',
    summary:
      'Set a budget of the organization or of a workflow for a day or a month; a node beyond it fails, or asks, before it calls',
    body: newBudget,
    example: { request: given, replies: { 201: example } },
    replies: { 201: budget, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: present(await createBudget(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listBudgets',
    summary: 'List the budgets with what is used of them',
    example: { replies: { 200: { budgets: [example] } } },
    replies: { 200: budgetList },
    handle: async ({ deps, scope }) => ({
      status: 200,
      body: { budgets: (await listBudgets(deps, scope)).map(present) },
    }),
  }),
  route({
    ...common,
    ...ofBudget,
    method: 'GET',
    path: one,
    operationId: 'getBudget',
    summary: 'Read a budget with what is used of it',
    example: { replies: { 200: example } },
    replies: { 200: budget },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: present(await getBudget(deps, scope, params.budget_id)),
    }),
  }),
  route({
    ...common,
    ...ofBudget,
    method: 'PATCH',
    path: one,
    operationId: 'updateBudget',
    summary: 'Change the supplied limits of a budget',
    body: budgetChange,
    find: ({ deps, scope, params }) => getBudget(deps, scope, params.budget_id),
    example: { request: { max_credits: 750 }, replies: { 200: { ...example, max_credits: 750 } } },
    replies: { 200: budget },
    handle: async ({ deps, scope, params, body }) => ({
      status: 200,
      body: present(await changeBudget(deps, scope, { budgetId: params.budget_id, body })),
    }),
  }),
  route({
    ...common,
    ...ofBudget,
    method: 'DELETE',
    path: one,
    operationId: 'deleteBudget',
    summary: 'Delete a budget',
    example: { replies: { 200: { success: true, message: 'Budget deleted' } } },
    replies: { 200: success },
    handle: async ({ deps, scope, params }) => {
      await deleteBudget(deps, scope, params.budget_id);
      return { status: 200, body: { success: true, message: 'Budget deleted' } };
    },
  }),
];
