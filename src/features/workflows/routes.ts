/** Routes of /workflows (SPEC API-workflow). */
import { findRedactedReads } from '../../language/graph/checks/check-redacted.ts';
import type { Problem } from '../../language/graph/definition/definition.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { requireWorkflow } from '../../engine/runs/ledger/read/require-objects.ts';
import { findUnaskedNodes } from '../../engine/runs/rerun/refused-effects.ts';
import { readRedactedPaths } from '../../engine/runs/ledger/read/redacted-paths.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { nodeParams, refusal, uuidParams } from '../../platform/http/wire.ts';
import { FindingsCache, presentListed, presentWorkflow, presentWorkflowText } from './present.ts';
import { pinNode, unpinNode } from './pin.ts';
import {
  deletedWorkflow,
  workflowListQuery,
  newWorkflow,
  pinBody,
  workflow,
  workflowList,
  workflowUpdate,
  workflowUsage,
} from './schema.ts';
import {
  createWorkflow,
  deleteWorkflow,
  findUsers,
  findWorkflowText,
  saveWorkflow,
  type WorkflowDeps,
} from './service.ts';
import { listWorkflows, type ListDeps } from './list.ts';
import type { WorkflowRow, WorkflowTextRow } from './store.ts';
import { findMissing, listCalls, nameUsers } from './sub-workflows.ts';

const route = routesFor<WorkflowDeps & ListDeps>();

const params = uuidParams('workflow_id');

/** Presents a row with the problems that its definition alone does not tell. */
async function present({ db }: WorkflowDeps, row: WorkflowRow): Promise<object> {
  const key = { organizationId: row.organization_id, workflowId: row.id };
  const missing = await findMissing(db, row.organization_id, listCalls(row.workflow_schema));
  const redacted = findRedactedReads(row.workflow_schema, await readRedactedPaths(db, key));
  const unasked = await findUnaskedNodes(db, key, row.workflow_schema);
  return presentWorkflow(row, [...missing, ...redacted, ...unasked]);
}

/** Finds the templates that read redacted values; parses the definition where there are such values. */
const findRedacted = ({ redacted_paths: paths, workflow_schema: text }: WorkflowTextRow): Problem[] =>
  paths.length === 0 ? [] : findRedactedReads(JSON.parse(text) as JsonObject, paths);

/** "accept PATCH and PUT alike" */
const update = (method: 'PATCH' | 'PUT'): Route<WorkflowDeps & ListDeps> =>
  route({
    method,
    path: '/workflows/:workflow_id',
    tag: 'workflows',
    operationId: method === 'PATCH' ? 'updateWorkflow' : 'putWorkflow',
    summary: 'Update a workflow',
    access: 'organization',
    params,
    body: workflowUpdate,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    replies: { 200: workflow, 409: refusal },
    async handle({ deps, scope, params: { workflow_id: workflowId }, body }) {
      return {
        status: 200,
        body: await present(deps, await saveWorkflow(deps, scope, { workflowId, body })),
      };
    },
  });

const pinRows: readonly Route<WorkflowDeps & ListDeps>[] = [
  route({
    method: 'POST',
    path: '/workflows/:workflow_id/nodes/:node_id/pin',
    tag: 'workflows',
    operationId: 'pinNode',
    summary: 'Pin the output of a node from a past run, for use in test runs of the draft',
    access: 'organization',
    params: nodeParams,
    body: pinBody,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    replies: { 200: workflow, 409: refusal },
    async handle({ deps, scope, params: { workflow_id: workflowId, node_id: nodeId }, body }) {
      const row = await pinNode(deps, scope, { workflowId, nodeId, from: body });
      return { status: 200, body: await present(deps, row) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/workflows/:workflow_id/nodes/:node_id/pin',
    tag: 'workflows',
    operationId: 'unpinNode',
    summary: 'Remove the pin and the mock of a node of the draft',
    access: 'organization',
    params: nodeParams,
    replies: { 200: workflow },
    async handle({ deps, scope, params: { workflow_id: workflowId, node_id: nodeId } }) {
      return { status: 200, body: await present(deps, await unpinNode(deps, scope, { workflowId, nodeId })) };
    },
  }),
];

/** Routes that delete a workflow and list the workflows that call it. */
const removalRows: readonly Route<WorkflowDeps & ListDeps>[] = [
  route({
    method: 'DELETE',
    path: '/workflows/:workflow_id',
    tag: 'workflows',
    operationId: 'deleteWorkflow',
    summary: 'Delete a workflow, its deployments and its edit history',
    access: 'organization',
    params,
    replies: { 200: deletedWorkflow },
    async handle({ deps, scope, params: { workflow_id: workflowId } }) {
      const users = await deleteWorkflow(deps, scope, workflowId);
      if (users.length === 0) return { status: 200, body: { success: true, message: 'Workflow deleted' } };
      const message = `Workflow deleted; it is still called by ${nameUsers(users)}`;
      return { status: 200, body: { success: true, message, used_by: users } };
    },
  }),
  // Not below /workflows, where the path could match the stream of a run.
  route({
    method: 'GET',
    path: '/workflow-usage/:workflow_id',
    tag: 'workflows',
    operationId: 'getWorkflowUsage',
    summary: 'List the workflows that use this one as a sub-workflow, in their live deployments or drafts',
    access: 'organization',
    params,
    replies: { 200: workflowUsage },
    async handle({ deps, scope, params: { workflow_id: workflowId } }) {
      return { status: 200, body: { used_by: await findUsers(deps, scope, workflowId) } };
    },
  }),
];

/** @param findings belongs to the application that mounts the routes */
export const workflowRoutes = (findings = new FindingsCache()): readonly Route<WorkflowDeps & ListDeps>[] => [
  route({
    method: 'GET',
    path: '/workflows',
    tag: 'workflows',
    operationId: 'listWorkflows',
    summary: 'List workflows',
    access: 'organization',
    query: workflowListQuery,
    replies: { 200: workflowList },
    async handle({ deps, scope, query }) {
      const { rows, fields } = await listWorkflows(deps, scope, query);
      return { status: 200, body: { workflows: rows.map(presentListed), ...fields } };
    },
  }),
  route({
    method: 'POST',
    path: '/workflows',
    tag: 'workflows',
    operationId: 'createWorkflow',
    namesOrganization: true,
    summary: 'Create a workflow',
    access: 'organization',
    body: newWorkflow,
    replies: { 201: workflow },
    async handle({ deps, scope, body }) {
      return { status: 201, body: await present(deps, await createWorkflow(deps, scope, body)) };
    },
  }),
  route({
    method: 'GET',
    path: '/workflows/:workflow_id',
    tag: 'workflows',
    operationId: 'getWorkflow',
    summary: 'Retrieve a workflow',
    access: 'organization',
    params,
    replies: { 200: workflow },
    async handle({ deps, scope, params: { workflow_id: workflowId } }) {
      const row = await findWorkflowText(deps.db, scope, workflowId);
      const { text, calls } = findings.get(row.workflow_schema);
      const missing = await findMissing(deps.db, row.organization_id, calls);
      return {
        status: 200,
        json: presentWorkflowText(row, { text, missing: [...missing, ...findRedacted(row)] }),
      };
    },
  }),
  update('PATCH'),
  update('PUT'),
  ...removalRows,
  ...pinRows,
];
