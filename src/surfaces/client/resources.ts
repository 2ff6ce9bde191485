/** The resources of the API: each method is one operation of the OpenAPI document and takes its types from there. */
import type { CallOptions, ReplyAt } from './operations.ts';
import { Resource } from './resource.ts';
import { prepareUpload, type Upload } from './upload.ts';

export class Workflows extends Resource {
  readonly list = this.pages('/workflows', ({ workflows }) => workflows, { page_size: 100 });
  readonly get = this.operation('GET', '/workflows/{workflow_id}');
  readonly create = this.operationWithBody('POST', '/workflows');
  /** Changes only the given fields. */
  readonly update = this.operationWithBody('PATCH', '/workflows/{workflow_id}');
  readonly delete = this.operation('DELETE', '/workflows/{workflow_id}');
  /** Returns the workflows that call this one; check it before a deletion. */
  readonly usage = this.operation('GET', '/workflow-usage/{workflow_id}');
  /** Creates a snapshot of the workflow and makes it live. */
  readonly deploy = this.operationWithBody('POST', '/workflows/{workflow_id}/deploy');
  readonly deployments = this.pages('/workflows/{workflow_id}/deployments', ({ deployments }) => deployments);
  readonly getDeployment = this.operation('GET', '/workflows/{workflow_id}/deployments/{deployment_id}');
  readonly getSheet = this.operation('GET', '/workflows/{workflow_id}/deployments/{deployment_id}/sheet');
  readonly getDraftSheet = this.operationWithBody('POST', '/workflows/{workflow_id}/sheet');
  /** Makes another deployment live; an older one rolls back. */
  readonly activate = this.operation('PUT', '/workflows/{workflow_id}/deployments/{deployment_id}/activate');
  /** Leaves the workflow without a live deployment. */
  readonly deactivate = this.operation('DELETE', '/workflows/{workflow_id}/deployments/live');
  readonly deleteDeployment = this.operation(
    'DELETE',
    '/workflows/{workflow_id}/deployments/{deployment_id}',
  );
}

export class Schedules extends Resource {
  readonly list = this.pages('/schedules', ({ schedules }) => schedules);
  readonly get = this.operation('GET', '/schedules/{schedule_id}');
  readonly create = this.operationWithBody('POST', '/schedules');
  readonly update = this.operationWithBody('PATCH', '/schedules/{schedule_id}');
  readonly delete = this.operation('DELETE', '/schedules/{schedule_id}');
  readonly pause = this.operation('POST', '/schedules/{schedule_id}/pause');
  readonly resume = this.operation('POST', '/schedules/{schedule_id}/resume');
  /** Starts a run now, in addition to the scheduled ones. */
  readonly trigger = this.operation('POST', '/schedules/{schedule_id}/trigger');
  readonly runs = this.pages('/schedules/{schedule_id}/runs', ({ runs }) => runs);
}

export class Hooks extends Resource {
  readonly list = this.pagesWithoutQuery('/workflows/{workflow_id}/hooks', ({ hooks }) => hooks);
  readonly get = this.operation('GET', '/workflows/{workflow_id}/hooks/{hook_id}');
  readonly create = this.operationWithBody('POST', '/workflows/{workflow_id}/hooks');
  readonly update = this.operationWithBody('PATCH', '/workflows/{workflow_id}/hooks/{hook_id}');
  readonly delete = this.operation('DELETE', '/workflows/{workflow_id}/hooks/{hook_id}');
  /** Gives the hook a new address; the previous one stays valid for a while. */
  readonly rotate = this.operationWithBody('POST', '/workflows/{workflow_id}/hooks/{hook_id}/rotate');
  /** Records the next request as a test event, also while the hook is disabled or nothing is live. */
  readonly listen = this.operationWithBody('POST', '/workflows/{workflow_id}/hooks/{hook_id}/listen');
  readonly stopListening = this.operation('DELETE', '/workflows/{workflow_id}/hooks/{hook_id}/listen');
  /** Lists what the address received in the last seven days, newest first. */
  readonly deliveries = this.pages(
    '/workflows/{workflow_id}/hooks/{hook_id}/deliveries',
    ({ deliveries }) => deliveries,
  );
  /** Starts a new run with the request of a delivery. */
  readonly redeliver = this.operation(
    'POST',
    '/workflows/{workflow_id}/hooks/{hook_id}/deliveries/{delivery_id}/redeliver',
  );
}

export class NotificationEndpoints extends Resource {
  readonly list = this.pagesWithoutQuery('/notification-endpoints', ({ endpoints }) => endpoints);
  readonly get = this.operation('GET', '/notification-endpoints/{endpoint_id}');
  /** Returns the secret of its signatures; no later call does. */
  readonly create = this.operationWithBody('POST', '/notification-endpoints');
  readonly update = this.operationWithBody('PATCH', '/notification-endpoints/{endpoint_id}');
  readonly delete = this.operation('DELETE', '/notification-endpoints/{endpoint_id}');
  /** Returns a new secret; the previous one signs as well for a while. */
  readonly rotate = this.operationWithBody('POST', '/notification-endpoints/{endpoint_id}/rotate');
  /** Sends a test event. */
  readonly test = this.operation('POST', '/notification-endpoints/{endpoint_id}/test');
  /** Lists the deliveries of the last seven days, newest first. */
  readonly deliveries = this.pages(
    '/notification-endpoints/{endpoint_id}/deliveries',
    ({ deliveries }) => deliveries,
  );
  /** Delivers an event again. */
  readonly replay = this.operation(
    'POST',
    '/notification-endpoints/{endpoint_id}/deliveries/{delivery_id}/replay',
  );
}

export class Alerts extends Resource {
  readonly list = this.pagesWithoutQuery('/alerts', ({ alerts }) => alerts);
  readonly get = this.operation('GET', '/alerts/{alert_id}');
  readonly create = this.operationWithBody('POST', '/alerts');
  readonly update = this.operationWithBody('PATCH', '/alerts/{alert_id}');
  readonly delete = this.operation('DELETE', '/alerts/{alert_id}');
}

export class EffectRules extends Resource {
  /** Lists the rules in their order: the first that matches decides. */
  readonly list = this.pagesWithoutQuery('/effect-rules', ({ rules }) => rules);
  readonly get = this.operation('GET', '/effect-rules/{effect_rule_id}');
  /** Adds a rule after all others. */
  readonly create = this.operationWithBody('POST', '/effect-rules');
  /** Changes only the given fields; the rule keeps its place. */
  readonly update = this.operationWithBody('PATCH', '/effect-rules/{effect_rule_id}');
  readonly delete = this.operation('DELETE', '/effect-rules/{effect_rule_id}');
  /** Lists what live versions may do about which a rule would decide; nothing is stored. */
  readonly preview = this.operationWithBody('POST', '/effect-rules/preview');
  /** Replaces the order, with the ids of all rules. */
  readonly reorder = this.operationWithBody('PUT', '/effect-rules/order');
}

export class Budgets extends Resource {
  /** Lists the budgets with what is used of them. */
  readonly list = this.pagesWithoutQuery('/budgets', ({ budgets }) => budgets);
  readonly get = this.operation('GET', '/budgets/{budget_id}');
  readonly create = this.operationWithBody('POST', '/budgets');
  readonly update = this.operationWithBody('PATCH', '/budgets/{budget_id}');
  readonly delete = this.operation('DELETE', '/budgets/{budget_id}');
}

/** Rehearsals: what a definition would have done with recorded runs. */
export class Rehearsals extends Resource {
  /** Requests one; it is walked in the background. */
  readonly create = this.operationWithBody('POST', '/workflows/{workflow_id}/rehearsals');
  /** Lists the newest ones of a workflow. */
  readonly list = this.operation('GET', '/workflows/{workflow_id}/rehearsals');
  /** Reads its progress and its groups of runs. */
  readonly get = this.operation('GET', '/rehearsals/{rehearsal_id}');
  /** Iterates over its runs, with the differences of each. */
  readonly runs = this.pages('/rehearsals/{rehearsal_id}/runs', ({ runs }) => runs, { limit: 100 });
  readonly cancel = this.operation('POST', '/rehearsals/{rehearsal_id}/cancel');
}

/** Saved sets of cases of workflows: recorded runs, and inputs with expected outputs. */
export class EvaluationSets extends Resource {
  /** Iterates over the sets of a filter, newest first. */
  readonly list = this.pages('/evaluation-sets', ({ sets }) => sets, { limit: 100 });
  readonly get = this.operation('GET', '/evaluation-sets/{evaluation_set_id}');
  readonly create = this.operationWithBody('POST', '/evaluation-sets');
  readonly update = this.operationWithBody('PATCH', '/evaluation-sets/{evaluation_set_id}');
  /** Deletes a set with its cases and its evaluations. */
  readonly delete = this.operation('DELETE', '/evaluation-sets/{evaluation_set_id}');
  /** Adds up to 200 cases, all or none. */
  readonly addCases = this.operationWithBody('POST', '/evaluation-sets/{evaluation_set_id}/cases');
  /** Iterates over the cases in their order. */
  readonly cases = this.pages('/evaluation-sets/{evaluation_set_id}/cases', ({ cases }) => cases, {
    limit: 100,
  });
  readonly deleteCase = this.operation(
    'DELETE',
    '/evaluation-sets/{evaluation_set_id}/cases/{evaluation_case_id}',
  );
}

/** Evaluations: how definitions do on the cases of a saved set. */
export class Evaluations extends Resource {
  /** Requests one; it is worked on in the background. */
  readonly create = this.operationWithBody('POST', '/evaluations');
  /** Iterates over the evaluations of a filter, newest first. */
  readonly list = this.pages('/evaluations', ({ evaluations }) => evaluations, { limit: 100 });
  /** Reads its progress and the result of each definition. */
  readonly get = this.operation('GET', '/evaluations/{evaluation_id}');
  /** Iterates over its trials, those of a case beside each other. */
  readonly trials = this.pages('/evaluations/{evaluation_id}/trials', ({ trials }) => trials, { limit: 100 });
  /** Marks the output of a trial as good or not. */
  readonly mark = this.operationWithBody('PUT', '/evaluations/{evaluation_id}/trials/{number}/mark');
  readonly cancel = this.operation('POST', '/evaluations/{evaluation_id}/cancel');
}

/** The ledger of effects: changes that runs have made outside of the service. */
export class Effects extends Resource {
  /** Iterates over the effects of a filter, newest first. */
  readonly list = this.pages('/effects', ({ effects }) => effects, { limit: 100 });
}

/** Requests of failed runs of which nobody knows whether they had their effect. */
export class UnknownOutcomes extends Resource {
  /** Iterates over those that wait for a decision, newest first. */
  readonly list = this.pages('/unknown-outcomes', ({ outcomes }) => outcomes, { limit: 100 });
  /** Decides, once; a rerun from the failed nodes of the run takes the decision. */
  readonly settle = this.operationWithBody('POST', '/unknown-outcomes/{step_id}/settle');
  /** Starts a run that reads whether the request had its effect; its output has what was found as `items`. */
  readonly look = this.operation('POST', '/unknown-outcomes/{step_id}/look');
}

export class AuditLog extends Resource {
  /** Lists who did what in the organization, newest first. */
  readonly list = this.pages('/audit-log', ({ entries }) => entries, { limit: 100 });
}

export class Credentials extends Resource {
  readonly list = this.pages('/credentials', ({ credentials }) => credentials);
  readonly get = this.operation('GET', '/credentials/{credential_id}');
  readonly create = this.operationWithBody('POST', '/credentials');
  readonly update = this.operationWithBody('PATCH', '/credentials/{credential_id}');
  readonly delete = this.operation('DELETE', '/credentials/{credential_id}');
  /** Checks with the other service whether the account works. */
  readonly test = this.operation('POST', '/credentials/{credential_id}/test');
  /** Lists the tools of the credential's MCP server. */
  readonly tools = this.operation('GET', '/credentials/{credential_id}/tools');
}

export class Integrations extends Resource {
  /** Lists the catalog and the types of the organization. */
  readonly list = this.pages('/integrations', ({ integrations }) => integrations);
  readonly get = this.operation('GET', '/integrations/{name}');
}

export class IntegrationTypes extends Resource {
  readonly list = this.pagesWithoutQuery('/integration-types', ({ integration_types: types }) => types);
  readonly get = this.operation('GET', '/integration-types/{integration_type_id}');
  readonly create = this.operationWithBody('POST', '/integration-types');
  readonly update = this.operationWithBody('PATCH', '/integration-types/{integration_type_id}');
  readonly delete = this.operation('DELETE', '/integration-types/{integration_type_id}');
}

export class Tables extends Resource {
  readonly list = this.pages('/tables', ({ tables }) => tables);
  readonly get = this.operation('GET', '/tables/{table_id}');
  readonly create = this.operationWithBody('POST', '/tables');
  readonly update = this.operationWithBody('PATCH', '/tables/{table_id}');
  /** Deletes a table with its rows. */
  readonly delete = this.operation('DELETE', '/tables/{table_id}');
  /** Iterates over the rows by key. */
  readonly rows = this.pages('/tables/{table_id}/rows', ({ rows }) => rows);
  readonly getRow = this.operation('GET', '/tables/{table_id}/rows/{key}');
  /** Creates a row, or replaces its value; with `expected_version` only if nobody has written it since. */
  readonly putRow = this.operationWithBody('PUT', '/tables/{table_id}/rows/{key}');

  async deleteRow(
    { tableId, key }: { readonly tableId: string; readonly key: string },
    query: { readonly expected_version?: number } = {},
    options?: CallOptions,
  ): Promise<ReplyAt<'DELETE', '/tables/{table_id}/rows/{key}'>> {
    const reply = await this.transport.call({
      ...options,
      method: 'DELETE',
      path: '/tables/{table_id}/rows/{key}',
      parameters: { table_id: tableId, key },
      query,
    });
    return reply as ReplyAt<'DELETE', '/tables/{table_id}/rows/{key}'>;
  }
}

/** Time of an upload or until a download begins, in milliseconds: 100 MiB take so long at 200 kB a second. */
const TRANSFER_MS = 600_000;

export class Files extends Resource {
  readonly list = this.pages('/files', ({ files }) => files);
  readonly get = this.operation('GET', '/files/{file_id}');
  /** Deletes a file, also one that runs refer to. */
  readonly delete = this.operation('DELETE', '/files/{file_id}');

  /** Uploads a file; `reference` of the answer stands for it in inputs of runs. */
  async upload(
    upload: Pick<Upload, 'file' | 'fileName' | 'onProgress'>,
    options?: CallOptions,
  ): Promise<ReplyAt<'POST', '/files'>> {
    const { form, fetch } = prepareUpload(upload);
    const reply = await this.transport.call({
      timeoutMs: TRANSFER_MS,
      ...options,
      method: 'POST',
      path: '/files',
      body: form,
      fetch,
    });
    return reply as ReplyAt<'POST', '/files'>;
  }

  /** Opens the bytes of a file, which come while they are read. */
  async download(
    fileId: string,
    { signal = new AbortController().signal, ...options }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const call = {
      ...options,
      signal,
      method: 'GET',
      path: '/files/{file_id}/content',
      parameters: { file_id: fileId },
    } as const;
    const { body } = await this.transport.open(call, 'bytes');
    return body ?? new ReadableStream({ start: (controller) => controller.close() });
  }
}

export class KnowledgeBases extends Resource {
  readonly list = this.pages('/knowledge-bases', (reply) => reply.knowledge_bases);
  readonly get = this.operation('GET', '/knowledge-bases/{knowledge_id}');
  readonly create = this.operationWithBody('POST', '/knowledge-bases');
  readonly update = this.operationWithBody('PATCH', '/knowledge-bases/{knowledge_id}');
  readonly delete = this.operation('DELETE', '/knowledge-bases/{knowledge_id}');
  readonly search = this.operationWithBody('POST', '/knowledge-bases/{knowledge_id}/search');
  readonly documents = this.pages('/knowledge-bases/{knowledge_id}/documents', ({ documents }) => documents);
  readonly getDocument = this.operation('GET', '/knowledge-bases/{knowledge_id}/documents/{document_id}');
  readonly deleteDocument = this.operation(
    'DELETE',
    '/knowledge-bases/{knowledge_id}/documents/{document_id}',
  );
  /** Extracts and embeds a failed document again. */
  readonly retryDocument = this.operation(
    'POST',
    '/knowledge-bases/{knowledge_id}/documents/{document_id}/retry',
  );

  /** Uploads a document. Extraction and embedding follow; `getDocument` returns their status. */
  async upload(
    knowledgeId: string,
    upload: Upload,
    options?: CallOptions,
  ): Promise<ReplyAt<'POST', '/knowledge-bases/{knowledge_id}/documents'>> {
    const { form, fetch } = prepareUpload(upload);
    const reply = await this.transport.call({
      ...options,
      method: 'POST',
      path: '/knowledge-bases/{knowledge_id}/documents',
      parameters: { knowledge_id: knowledgeId },
      body: form,
      fetch,
    });
    return reply as ReplyAt<'POST', '/knowledge-bases/{knowledge_id}/documents'>;
  }
}

export class ApiKeys extends Resource {
  readonly list = this.pagesWithoutQuery('/api-keys', (reply) => reply.api_keys);
  readonly get = this.operation('GET', '/api-keys/{api_key_id}');
  /** Returns the key itself; no later call does. */
  readonly create = this.operationWithBody('POST', '/api-keys');
  readonly revoke = this.operation('DELETE', '/api-keys/{api_key_id}');
}

export class ServiceAccounts extends Resource {
  readonly list = this.pagesWithoutQuery('/service-accounts', (reply) => reply.service_accounts);
  readonly get = this.operation('GET', '/service-accounts/{service_account_id}');
  readonly create = this.operationWithBody('POST', '/service-accounts');
  readonly update = this.operationWithBody('PATCH', '/service-accounts/{service_account_id}');
  /** Revokes its keys as well. */
  readonly delete = this.operation('DELETE', '/service-accounts/{service_account_id}');
  readonly keys = this.pagesWithoutQuery(
    '/service-accounts/{service_account_id}/keys',
    (reply) => reply.api_keys,
  );
  /** Returns the key itself; no later call does. */
  readonly createKey = this.operationWithBody('POST', '/service-accounts/{service_account_id}/keys');
  readonly revokeKey = this.operation('DELETE', '/service-accounts/{service_account_id}/keys/{api_key_id}');
}

export class Organizations extends Resource {
  /** Lists the caller's organizations. */
  readonly list = this.pagesWithoutQuery('/organizations', (organizations) => organizations);
  readonly get = this.operation('GET', '/organizations/{organization_id}');
  readonly create = this.operationWithBody('POST', '/organizations');
  readonly update = this.operationWithBody('PATCH', '/organizations/{organization_id}');
  readonly members = this.pagesWithoutQuery(
    '/organizations/{organization_id}/members',
    ({ members }) => members,
  );
}

export class Interrupts extends Resource {
  /** Lists open questions, newest first; `assignee: 'me'` for the caller's own. */
  readonly list = this.pages('/interrupts', ({ interrupts }) => interrupts);
}

export class Me extends Resource {
  readonly get = this.operation('GET', '/auth/me');
  /** Lists the caller's organizations with the caller's role in each. */
  readonly organizations = this.pagesWithoutQuery(
    '/auth/me/organizations',
    ({ organizations }) => organizations,
  );
}
