/** The client of the API: for Node and browsers, typed from the OpenAPI document. */
import type { Method, PathOf, ReplyAt, RequestArguments } from './operations.ts';
import {
  Alerts,
  AuditLog,
  ApiKeys,
  Budgets,
  Credentials,
  Integrations,
  IntegrationTypes,
  EffectRules,
  Effects,
  Files,
  Hooks,
  Interrupts,
  KnowledgeBases,
  Me,
  Evaluations,
  EvaluationSets,
  Rehearsals,
  NotificationEndpoints,
  Organizations,
  Schedules,
  ServiceAccounts,
  Tables,
  UnknownOutcomes,
  Workflows,
} from './resources.ts';
import { Runs } from './runs.ts';
import { Transport, type ClientOptions } from './transport.ts';

export { toDraft } from './draft.ts';
export { WorkflowApiError, type Problem } from './error.ts';
export type { RunEnd, RunEvent } from './event-stream.ts';
export type { FollowedEvent } from './follow-runs.ts';
export type { List } from './list.ts';
// Entities by their names in the document; this file's own `Run` and `RunEvent` stand before them.
export type * from './openapi.ts';
export type { Body, CallOptions, Query, Reply } from './operations.ts';
export type { Answer, FollowOptions, Run, RunRecord, TokenEvent } from './run.ts';
export type { StartedRun, StartOptions } from './runs.ts';
export type { TokenSource } from './token.ts';
export type { RetryClock, Wait } from './retry.ts';
export type { ClientOptions, Retry } from './transport.ts';
export type { Upload, UploadProgress } from './upload.ts';

export class WorkflowClient {
  readonly runs: Runs;
  readonly workflows: Workflows;
  readonly schedules: Schedules;
  /** Webhooks: addresses by which other services start runs. */
  readonly hooks: Hooks;
  readonly notificationEndpoints: NotificationEndpoints;
  readonly alerts: Alerts;
  /** Rules over the effects of all workflows. */
  readonly effectRules: EffectRules;
  readonly budgets: Budgets;
  readonly rehearsals: Rehearsals;
  readonly evaluationSets: EvaluationSets;
  readonly evaluations: Evaluations;
  readonly auditLog: AuditLog;
  readonly effects: Effects;
  /** Unknown outcomes of failed runs, each settled once. */
  readonly unknownOutcomes: UnknownOutcomes;
  readonly credentials: Credentials;
  readonly integrations: Integrations;
  readonly integrationTypes: IntegrationTypes;
  readonly knowledgeBases: KnowledgeBases;
  /** Rows that outlive runs. */
  readonly tables: Tables;
  /** Files, which values of runs refer to. */
  readonly files: Files;
  readonly apiKeys: ApiKeys;
  /** Identities of the organization for its programs. */
  readonly serviceAccounts: ServiceAccounts;
  readonly organizations: Organizations;
  readonly interrupts: Interrupts;
  readonly me: Me;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.runs = new Runs(transport);
    this.workflows = new Workflows(transport);
    this.schedules = new Schedules(transport);
    this.hooks = new Hooks(transport);
    this.notificationEndpoints = new NotificationEndpoints(transport);
    this.alerts = new Alerts(transport);
    this.effectRules = new EffectRules(transport);
    this.budgets = new Budgets(transport);
    this.rehearsals = new Rehearsals(transport);
    this.evaluationSets = new EvaluationSets(transport);
    this.evaluations = new Evaluations(transport);
    this.auditLog = new AuditLog(transport);
    this.effects = new Effects(transport);
    this.unknownOutcomes = new UnknownOutcomes(transport);
    this.credentials = new Credentials(transport);
    this.integrations = new Integrations(transport);
    this.integrationTypes = new IntegrationTypes(transport);
    this.knowledgeBases = new KnowledgeBases(transport);
    this.tables = new Tables(transport);
    this.files = new Files(transport);
    this.apiKeys = new ApiKeys(transport);
    this.serviceAccounts = new ServiceAccounts(transport);
    this.organizations = new Organizations(transport);
    this.interrupts = new Interrupts(transport);
    this.me = new Me(transport);
  }

  /**
   * Calls any operation of the document: `request('GET', '/workflows/{workflow_id}', { path: { workflow_id } })`.
   * @throws WorkflowApiError for an error response and for no response; the signal's reason
   */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...options: RequestArguments<M, P>
  ): Promise<ReplyAt<M, P>> {
    return this.#transport.requestUntyped<ReplyAt<M, P>>(method, path, options);
  }
}
