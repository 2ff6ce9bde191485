/** Routes of saved filters of the history of runs, with their shapes. */
import { z } from 'zod';
import type { RunFilter } from '../../base/db/generated/client.ts';
import { historyQuery } from '../../engine/runs/api/history-schema.ts';
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
import { refusal, success, uuidParams } from '../../platform/http/wire.ts';
import {
  changeFilter,
  createFilter,
  deleteFilter,
  getFilter,
  listFilters,
  type RunFilterDeps,
} from './service.ts';

/** Filters of the list of runs that mean the same tomorrow; the page of the list and the id of one run do not. */
const { shape } = historyQuery.pick({
  workflow_id: true,
  status: true,
  trigger_type: true,
  created_by: true,
  metadata: true,
  from: true,
  to: true,
  q: true,
  segments: true,
});
const checked = z.object(shape);

/** The parameters as they stand in an address. They are stored as they were given, once the list would take them. */
const filterQuery = z
  .object(
    Object.fromEntries(
      Object.entries(shape).map(([name, { description = '' }]) => [
        name,
        z.string().optional().meta({ description }),
      ]),
    ),
  )
  .superRefine((query, ctx) => {
    for (const { path, message } of checked.safeParse(query).error?.issues ?? [])
      ctx.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ description: 'Filters of GET /workflow-runs by their names, as texts' });
const filterName = z.string().min(1).max(255).meta({ description: 'Name of the filter, for people' });

const newFilter = z.object({ name: filterName, query: filterQuery }).meta({ id: 'CreateRunFilter' });
const filterChange = z
  .object({ name: filterName.optional(), query: filterQuery.optional() })
  .meta({ id: 'RunFilterChange' });
const runFilter = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    name: filterName,
    query: filterQuery,
    path: z.string().meta({ description: 'Path and query of the list of these runs' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'RunFilter' });
const filterList = z
  .looseObject({
    filters: z.array(runFilter).meta({ description: 'The filters of the organization, by name' }),
  })
  .meta({ id: 'RunFilterList' });

function present({ id, name, query, ...row }: RunFilter): object {
  return {
    id,
    organization_id: row.organizationId,
    name,
    query,
    path: `/workflow-runs?${new URLSearchParams(query as Record<string, string>).toString()}`,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

const example = present({
  id: 'a1b2c3d4-5e6f-4708-8192-a3b4c5d6e7f8',
  organizationId: IDS.organization,
  name: 'Failures of Acme',
  query: { status: 'failed', metadata: 'customer:acme' },
  createdBy: IDS.user,
  createdAt: new Date(AT),
  updatedAt: new Date(AT),
});

const route = routesFor<RunFilterDeps>();
const common = { tag: 'runs', access: 'organization' } as const;
const ofFilter = { params: uuidParams('run_filter_id') };
const all = '/run-filters';
const one = `${all}/:run_filter_id`;

export const runFilterRoutes: readonly Route<RunFilterDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createRunFilter',
    summary: 'Save filters of the history of runs by a name, for everybody in the organization',
    body: newFilter,
    example: {
      request: { name: 'Failures of Acme', query: { status: 'failed', metadata: 'customer:acme' } },
      replies: { 201: example },
    },
    replies: { 201: runFilter, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: present(await createFilter(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listRunFilters',
    summary: 'List the saved filters of the organization, by name',
    example: { replies: { 200: { filters: [example] } } },
    replies: { 200: filterList },
    handle: async ({ deps, scope }) => ({
      status: 200,
      body: { filters: (await listFilters(deps, scope)).map(present) },
    }),
  }),
  route({
    ...common,
    ...ofFilter,
    method: 'GET',
    path: one,
    operationId: 'getRunFilter',
    summary: 'Read a saved filter',
    example: { replies: { 200: example } },
    replies: { 200: runFilter },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: present(await getFilter(deps, scope, params.run_filter_id)),
    }),
  }),
  route({
    ...common,
    ...ofFilter,
    method: 'PATCH',
    path: one,
    operationId: 'updateRunFilter',
    summary: 'Change the supplied fields of a saved filter',
    body: filterChange,
    find: ({ deps, scope, params }) => getFilter(deps, scope, params.run_filter_id),
    example: { request: { name: 'Failures of our customer Acme' }, replies: { 200: example } },
    replies: { 200: runFilter },
    handle: async ({ deps, scope, params, body }) => ({
      status: 200,
      body: present(await changeFilter(deps, scope, { id: params.run_filter_id, ...body })),
    }),
  }),
  route({
    ...common,
    ...ofFilter,
    method: 'DELETE',
    path: one,
    operationId: 'deleteRunFilter',
    summary: 'Delete a saved filter',
    example: { replies: { 200: { success: true, message: 'Filter deleted' } } },
    replies: { 200: success },
    handle: async ({ deps, scope, params }) => {
      await deleteFilter(deps, scope, params.run_filter_id);
      return { status: 200, body: { success: true, message: 'Filter deleted' } };
    },
  }),
];
