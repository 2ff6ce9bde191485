/** The resources of the API as namespaces of the client: each method is one operation of the document. */
import type { Body, CallOptions, Query, Reply } from './operations.ts';
import { Resource } from './resource.ts';
import type { Values } from './transport.ts';

const WORKFLOW = '/workflows/{workflow_id}';
const DEPLOYMENTS = `${WORKFLOW}/deployments`;
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;

export interface DeploymentIds {
  readonly workflowId: string;
  readonly deploymentId: string;
}
const deploymentParameters = ({ workflowId, deploymentId }: DeploymentIds): Values => ({
  workflow_id: workflowId,
  deployment_id: deploymentId,
});

export class Workflows extends Resource {
  list(query: Query<'listWorkflows'> = {}, options?: CallOptions) {
    return this.lists<'listWorkflows', Reply<'listWorkflows'>['workflows'][number]>(
      { path: '/workflows', query: { page_size: 100, ...query } },
      (answer) => answer.workflows,
      options,
    );
  }
  get(workflowId: string, options?: CallOptions) {
    return this.send<'getWorkflow'>(['GET', WORKFLOW], { parameters: { workflow_id: workflowId } }, options);
  }
  create(body: Body<'createWorkflow'>, options?: CallOptions) {
    return this.send<'createWorkflow'>(['POST', '/workflows'], { body }, options);
  }
  /** Only the supplied fields change. */
  update(workflowId: string, body: Body<'updateWorkflow'>, options?: CallOptions) {
    const parameters = { workflow_id: workflowId };
    return this.send<'updateWorkflow'>(['PATCH', WORKFLOW], { parameters, body }, options);
  }
  delete(workflowId: string, options?: CallOptions) {
    const parameters = { workflow_id: workflowId };
    return this.send<'deleteWorkflow'>(['DELETE', WORKFLOW], { parameters }, options);
  }
  /** Who calls it: to be asked before it is deleted. */
  usage(workflowId: string, options?: CallOptions) {
    const parameters = { workflow_id: workflowId };
    return this.send<'getWorkflowUsage'>(['GET', '/workflow-usage/{workflow_id}'], { parameters }, options);
  }
  /** Makes a snapshot of the workflow and sets it live. */
  deploy(workflowId: string, body: Body<'deployWorkflow'> = {}, options?: CallOptions) {
    const parameters = { workflow_id: workflowId };
    return this.send<'deployWorkflow'>(['POST', `${WORKFLOW}/deploy`], { parameters, body }, options);
  }
  deployments(workflowId: string, query?: Query<'listDeployments'>, options?: CallOptions) {
    return this.lists<'listDeployments', Reply<'listDeployments'>['deployments'][number]>(
      { path: DEPLOYMENTS, parameters: { workflow_id: workflowId }, query },
      (answer) => answer.deployments,
      options,
    );
  }
  getDeployment(ids: DeploymentIds, options?: CallOptions) {
    return this.send<'getDeployment'>(
      ['GET', DEPLOYMENT],
      { parameters: deploymentParameters(ids) },
      options,
    );
  }
  /** Sets another deployment live, an older one to roll back. */
  activate(ids: DeploymentIds, options?: CallOptions) {
    const parameters = deploymentParameters(ids);
    return this.send<'activateDeployment'>(['PUT', `${DEPLOYMENT}/activate`], { parameters }, options);
  }
  /** Afterwards no deployment is live. */
  deactivate(workflowId: string, options?: CallOptions) {
    const parameters = { workflow_id: workflowId };
    return this.send<'deactivateLiveDeployment'>(['DELETE', `${DEPLOYMENTS}/live`], { parameters }, options);
  }
  deleteDeployment(ids: DeploymentIds, options?: CallOptions) {
    const parameters = deploymentParameters(ids);
    return this.send<'deleteDeployment'>(['DELETE', DEPLOYMENT], { parameters }, options);
  }
}

const SCHEDULE = '/schedules/{schedule_id}';

export class Schedules extends Resource {
  list(query?: Query<'listSchedules'>, options?: CallOptions) {
    return this.lists<'listSchedules', Reply<'listSchedules'>['schedules'][number]>(
      { path: '/schedules', query },
      (answer) => answer.schedules,
      options,
    );
  }
  get(scheduleId: string, options?: CallOptions) {
    return this.send<'getSchedule'>(['GET', SCHEDULE], { parameters: { schedule_id: scheduleId } }, options);
  }
  create(body: Body<'createSchedule'>, options?: CallOptions) {
    return this.send<'createSchedule'>(['POST', '/schedules'], { body }, options);
  }
  update(scheduleId: string, body: Body<'updateSchedule'>, options?: CallOptions) {
    const parameters = { schedule_id: scheduleId };
    return this.send<'updateSchedule'>(['PATCH', SCHEDULE], { parameters, body }, options);
  }
  delete(scheduleId: string, options?: CallOptions) {
    const parameters = { schedule_id: scheduleId };
    return this.send<'deleteSchedule'>(['DELETE', SCHEDULE], { parameters }, options);
  }
  pause(scheduleId: string, options?: CallOptions) {
    const parameters = { schedule_id: scheduleId };
    return this.send<'pauseSchedule'>(['POST', `${SCHEDULE}/pause`], { parameters }, options);
  }
  resume(scheduleId: string, options?: CallOptions) {
    const parameters = { schedule_id: scheduleId };
    return this.send<'resumeSchedule'>(['POST', `${SCHEDULE}/resume`], { parameters }, options);
  }
  /** Runs it now, besides its times. */
  trigger(scheduleId: string, options?: CallOptions) {
    const parameters = { schedule_id: scheduleId };
    return this.send<'triggerSchedule'>(['POST', `${SCHEDULE}/trigger`], { parameters }, options);
  }
  runs(scheduleId: string, query?: Query<'listScheduleRuns'>, options?: CallOptions) {
    return this.lists<'listScheduleRuns', Reply<'listScheduleRuns'>['runs'][number]>(
      { path: `${SCHEDULE}/runs`, parameters: { schedule_id: scheduleId }, query },
      (answer) => answer.runs,
      options,
    );
  }
}

const CREDENTIAL = '/credentials/{credential_id}';

export class Credentials extends Resource {
  list(query?: Query<'listCredentials'>, options?: CallOptions) {
    return this.lists<'listCredentials', Reply<'listCredentials'>['credentials'][number]>(
      { path: '/credentials', query },
      (answer) => answer.credentials,
      options,
    );
  }
  get(credentialId: string, options?: CallOptions) {
    const parameters = { credential_id: credentialId };
    return this.send<'getCredential'>(['GET', CREDENTIAL], { parameters }, options);
  }
  create(body: Body<'createCredential'>, options?: CallOptions) {
    return this.send<'createCredential'>(['POST', '/credentials'], { body }, options);
  }
  update(credentialId: string, body: Body<'updateCredential'>, options?: CallOptions) {
    const parameters = { credential_id: credentialId };
    return this.send<'updateCredential'>(['PATCH', CREDENTIAL], { parameters, body }, options);
  }
  delete(credentialId: string, options?: CallOptions) {
    const parameters = { credential_id: credentialId };
    return this.send<'deleteCredential'>(['DELETE', CREDENTIAL], { parameters }, options);
  }
  /** Asks the other service whether the account works. */
  test(credentialId: string, options?: CallOptions) {
    const parameters = { credential_id: credentialId };
    return this.send<'testCredential'>(['POST', `${CREDENTIAL}/test`], { parameters }, options);
  }
  /** Asks the MCP server of a credential what it offers. */
  tools(credentialId: string, options?: CallOptions) {
    const parameters = { credential_id: credentialId };
    return this.send<'listCredentialTools'>(['GET', `${CREDENTIAL}/tools`], { parameters }, options);
  }
}

const KEY = '/api-keys/{api_key_id}';

export class ApiKeys extends Resource {
  list(options?: CallOptions) {
    return this.lists<'listApiKeys', Reply<'listApiKeys'>['api_keys'][number]>(
      { path: '/api-keys', query: undefined },
      (answer) => answer.api_keys,
      options,
    );
  }
  get(apiKeyId: string, options?: CallOptions) {
    return this.send<'getApiKey'>(['GET', KEY], { parameters: { api_key_id: apiKeyId } }, options);
  }
  /** The one answer that holds the key itself. */
  create(body: Body<'createApiKey'>, options?: CallOptions) {
    return this.send<'createApiKey'>(['POST', '/api-keys'], { body }, options);
  }
  revoke(apiKeyId: string, options?: CallOptions) {
    return this.send<'revokeApiKey'>(['DELETE', KEY], { parameters: { api_key_id: apiKeyId } }, options);
  }
}

const ORGANIZATION = '/organizations/{organization_id}';

export class Organizations extends Resource {
  /** Those that the caller belongs to. */
  list(options?: CallOptions) {
    return this.lists<'listOrganizations', Reply<'listOrganizations'>[number]>(
      { path: '/organizations', query: undefined },
      (answer) => answer,
      options,
    );
  }
  get(organizationId: string, options?: CallOptions) {
    const parameters = { organization_id: organizationId };
    return this.send<'getOrganization'>(['GET', ORGANIZATION], { parameters }, options);
  }
  create(body: Body<'createOrganization'>, options?: CallOptions) {
    return this.send<'createOrganization'>(['POST', '/organizations'], { body }, options);
  }
  update(organizationId: string, body: Body<'updateOrganization'>, options?: CallOptions) {
    const parameters = { organization_id: organizationId };
    return this.send<'updateOrganization'>(['PATCH', ORGANIZATION], { parameters, body }, options);
  }
  members(organizationId: string, options?: CallOptions) {
    return this.lists<'listMembers', Reply<'listMembers'>['members'][number]>(
      {
        path: `${ORGANIZATION}/members`,
        parameters: { organization_id: organizationId },
        query: undefined,
      },
      (answer) => answer.members,
      options,
    );
  }
}

export class Interrupts extends Resource {
  /** Open questions, newest first; `assignee: 'me'` for the caller's own. */
  list(query?: Query<'listInterrupts'>, options?: CallOptions) {
    return this.lists<'listInterrupts', Reply<'listInterrupts'>['interrupts'][number]>(
      { path: '/interrupts', query },
      (answer) => answer.interrupts,
      options,
    );
  }
}

export class Me extends Resource {
  get(options?: CallOptions) {
    return this.send<'getMe'>(['GET', '/auth/me'], {}, options);
  }
  /** With the caller's role in each. */
  organizations(options?: CallOptions) {
    return this.lists<'listMyOrganizations', Reply<'listMyOrganizations'>['organizations'][number]>(
      { path: '/auth/me/organizations', query: undefined },
      (answer) => answer.organizations,
      options,
    );
  }
}
