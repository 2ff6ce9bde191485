/** Routes of /workflows/{workflow_id}/deploy and /deployments (SPEC API-deployments). */
import { requireWorkflow } from '../../../engine/runs/ledger/read/require-objects.ts';
import { presentPage } from '../../../platform/http/cursor-page.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, uuidParams } from '../../../platform/http/wire.ts';
import { presentDeployment, presentDeploymentDetail, presentListItem } from './present.ts';
import {
  activated,
  deactivated,
  deleted,
  deployment,
  deploymentDetail,
  deploymentList,
  deployRequest,
  deploymentListQuery,
} from './schema.ts';
import {
  activateDeployment,
  deactivateLive,
  deleteDeployment,
  deploy,
  findDeployment,
  listDeployments,
  type DeploymentDeps,
} from './service.ts';

const route = routesFor<DeploymentDeps>();

const ofWorkflow = uuidParams('workflow_id');
const ofDeployment = uuidParams('workflow_id', 'deployment_id');
const common = { tag: 'deployments', access: 'organization' } as const;
const list = '/workflows/:workflow_id/deployments';

export const deploymentRoutes: readonly Route<DeploymentDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: '/workflows/:workflow_id/deploy',
    operationId: 'deployWorkflow',
    summary: 'Deploy the draft of a workflow and make the deployment live',
    params: ofWorkflow,
    body: deployRequest,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    bodyOptional: true,
    replies: { 201: deployment, 409: refusal },
    async handle({ deps, scope, params: { workflow_id: workflowId }, body }) {
      return { status: 201, body: presentDeployment(await deploy(deps, scope, { workflowId, body })) };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: list,
    operationId: 'listDeployments',
    summary: 'List the deployments of a workflow, newest first',
    params: ofWorkflow,
    query: deploymentListQuery,
    replies: { 200: deploymentList },
    async handle({ deps, scope, params: { workflow_id: workflowId }, query }) {
      const { page, total } = await listDeployments(deps, scope, { workflowId, ...query });
      const deployments = page.rows.map(presentListItem);
      return { status: 200, body: { deployments, total, ...presentPage(page, query) } };
    },
  }),
  // Matched before the route with a parameter in this place.
  route({
    ...common,
    method: 'DELETE',
    path: `${list}/live`,
    operationId: 'deactivateLiveDeployment',
    summary: 'Deactivate the live deployment',
    params: ofWorkflow,
    replies: { 200: deactivated },
    async handle({ deps, scope, params: { workflow_id: workflowId } }) {
      const previous = await deactivateLive(deps, scope, workflowId);
      if (previous === null)
        return { status: 200, body: { success: true, message: 'No deployment is live' } };
      const body = {
        success: true,
        message: 'Live deployment deactivated',
        previous_live_deployment_id: previous,
      };
      return { status: 200, body };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${list}/:deployment_id`,
    operationId: 'getDeployment',
    summary: 'Retrieve a deployment with its snapshot',
    params: ofDeployment,
    replies: { 200: deploymentDetail },
    async handle({ deps, scope, params: { workflow_id: workflowId, deployment_id: deploymentId } }) {
      return {
        status: 200,
        body: presentDeploymentDetail(await findDeployment(deps, scope, { workflowId, deploymentId })),
      };
    },
  }),
  route({
    ...common,
    method: 'PUT',
    path: `${list}/:deployment_id/activate`,
    operationId: 'activateDeployment',
    summary: 'Make a deployment live; the draft does not change',
    params: ofDeployment,
    replies: { 200: activated, 409: refusal },
    async handle({ deps, scope, params: { workflow_id: workflowId, deployment_id: deploymentId } }) {
      const { wasLive, previousId } = await activateDeployment(deps, scope, { workflowId, deploymentId });
      const message = wasLive ? 'Deployment is already live' : 'Deployment activated';
      const body = { success: true, message, deployment_id: deploymentId };
      const previous = wasLive || previousId === null ? {} : { previous_live_deployment_id: previousId };
      return { status: 200, body: { ...body, ...previous } };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${list}/:deployment_id`,
    operationId: 'deleteDeployment',
    summary: 'Delete a deployment; when it was live, the one before it becomes live',
    params: ofDeployment,
    replies: { 200: deleted, 409: refusal },
    async handle({ deps, scope, params: { workflow_id: workflowId, deployment_id: deploymentId } }) {
      const { wasLive, newLiveId } = await deleteDeployment(deps, scope, { workflowId, deploymentId });
      const body = {
        success: true,
        message: 'Deployment deleted',
        deleted_deployment_id: deploymentId,
        was_live: wasLive,
      };
      return {
        status: 200,
        body: newLiveId === null ? body : { ...body, new_live_deployment_id: newLiveId },
      };
    },
  }),
];
