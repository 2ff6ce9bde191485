/** Routes of the error workflow of a workflow: started with the facts of each of its failed runs. */
import { z } from 'zod';
import type { Scope } from '../../platform/access/caller.ts';
import type { Db } from '../../base/db/client.ts';
import { invalid, notFound } from '../../base/errors.ts';
import { requireWorkflow } from '../../engine/runs/ledger/read/require-objects.ts';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { uuid, uuidParams } from '../../platform/http/wire.ts';
import { workflowId } from '../../platform/http/fields.ts';

const nullableErrorWorkflowId = uuid
  .nullable()
  .meta({ description: 'The workflow that is started when a run fails; null: none' });

interface ErrorWorkflowDeps {
  readonly db: Db;
}

const route = routesFor<ErrorWorkflowDeps>();
const params = uuidParams('workflow_id');
const path = '/workflows/:workflow_id/error-workflow';
const common = { tag: 'workflows', path, params } as const;

const errorWorkflow = z
  .looseObject({ workflow_id: workflowId, error_workflow_id: nullableErrorWorkflowId })
  .meta({ id: 'ErrorWorkflow' });
const errorWorkflowChange = z
  .object({ error_workflow_id: nullableErrorWorkflowId })
  .meta({ id: 'ErrorWorkflowChange' });

/** @throws ApiError 404 */
async function readErrorWorkflow(
  { db }: ErrorWorkflowDeps,
  { organizationId }: Scope,
  workflowId: string,
): Promise<string | null> {
  const row = await db.prisma.workflow.findFirst({
    where: { id: workflowId, organizationId },
    select: { errorWorkflowId: true },
  });
  if (row === null) throw notFound('Workflow');
  return row.errorWorkflowId;
}

/** @throws ApiError 404 for the workflow; 422 for an error workflow that is missing or the workflow itself */
async function setErrorWorkflow(
  deps: ErrorWorkflowDeps,
  scope: Scope,
  { workflowId, errorWorkflowId }: { readonly workflowId: string; readonly errorWorkflowId: string | null },
): Promise<void> {
  const { organizationId } = scope;
  const refuse = (type: string, msg: string): never => {
    throw invalid([{ loc: ['body', 'error_workflow_id'], msg, type }]);
  };
  await readErrorWorkflow(deps, scope, workflowId);
  if (errorWorkflowId === workflowId)
    refuse('own_error_workflow', 'A workflow cannot be its own error workflow');
  const where = { id: errorWorkflowId ?? '', organizationId };
  if (errorWorkflowId !== null && (await deps.db.prisma.workflow.count({ where })) === 0)
    refuse('workflow_not_found', 'Workflow not found');
  await deps.db.prisma.workflow.update({
    where: { id: workflowId, organizationId },
    data: { errorWorkflowId },
  });
}

export const errorWorkflowRoutes: readonly Route<ErrorWorkflowDeps>[] = [
  route({
    ...common,
    method: 'GET',
    operationId: 'getErrorWorkflow',
    summary: 'Read which workflow is started when a run of this one fails',
    access: 'organization',
    replies: { 200: errorWorkflow },
    handle: async ({ deps, scope, params: { workflow_id: workflowId } }) => ({
      status: 200,
      body: {
        workflow_id: workflowId,
        error_workflow_id: await readErrorWorkflow(deps, scope, workflowId),
      },
    }),
  }),
  route({
    ...common,
    method: 'PUT',
    operationId: 'setErrorWorkflow',
    summary: 'Choose the workflow that is started, once, with the facts of each failed run; null: none',
    access: 'organization',
    body: errorWorkflowChange,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    replies: { 200: errorWorkflow },
    handle: async ({ deps, scope, params: { workflow_id: workflowId }, body }) => {
      await setErrorWorkflow(deps, scope, { workflowId, errorWorkflowId: body.error_workflow_id });
      return {
        status: 200,
        body: { workflow_id: workflowId, error_workflow_id: body.error_workflow_id },
      };
    },
  }),
];
