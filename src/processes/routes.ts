/** All routes of the API, in the order in which they are matched. */
import { alertRoutes } from '../features/notifications/alerts/routes.ts';
import { ALERT_EXAMPLES } from '../features/notifications/alerts/examples.ts';
import { answerPageRoutes, type AnswerPageDeps } from '../features/answers/routes.ts';
import { DATA_JOB_EXAMPLES } from '../features/data/examples.ts';
import { dataJobRoutes } from '../features/data/routes.ts';
import { AUDIT_LOG_EXAMPLES } from '../platform/audit/api/examples.ts';
import { auditLogRoutes } from '../platform/audit/api/routes.ts';
import { apiKeyRoutes } from '../features/accounts/api-keys/routes.ts';
import { assistantRoutes } from '../features/chats/assistant-routes.ts';
import { CALLBACK_EXAMPLES } from '../features/answers/callbacks/examples.ts';
import { callbackRoutes, type CallbackDeps } from '../features/answers/callbacks/routes.ts';
import { chatRoutes } from '../features/chats/routes.ts';
import { composerRoutes } from '../features/chats/composer-routes.ts';
import { modelRoutes } from '../platform/credentials/api/model-routes.ts';
import { credentialRoutes } from '../platform/credentials/api/routes.ts';
import { deploymentRoutes } from '../features/workflows/deployments/routes.ts';
import { sheetRoutes } from '../features/workflows/deployments/sheet.ts';
import { EFFECT_RULE_EXAMPLES } from '../features/workflows/effect-rules/examples.ts';
import { EFFECT_EXAMPLES } from '../engine/runs/api/effect-examples.ts';
import { OUTCOME_EXAMPLES, outcomeRoutes } from '../engine/runs/api/outcome-routes.ts';
import { caseRoutes } from '../engine/runs/api/case-routes.ts';
import { effectRoutes } from '../engine/runs/api/effect-routes.ts';
import { effectRuleRoutes } from '../features/workflows/effect-rules/routes.ts';
import { errorWorkflowRoutes } from '../features/workflows/error-workflow-routes.ts';
import { hookRoutes } from '../features/hooks/routes.ts';
import { HOOK_EXAMPLES } from '../features/hooks/examples.ts';
import { mcpRoutes, type McpRouteDeps } from '../features/mcp/routes.ts';
import { MCP_EXAMPLES } from '../features/mcp/examples.ts';
import { openAiRoutes } from '../features/openai/routes.ts';
import { OPENAI_EXAMPLES } from '../features/openai/examples.ts';
import { integrationRoutes } from '../platform/credentials/api/integrations/routes.ts';
import { ACCOUNT_EXAMPLES } from '../features/accounts/me/account-examples.ts';
import { CHAT_EXAMPLES } from '../features/chats/examples.ts';
import { CREDENTIAL_EXAMPLES } from '../platform/credentials/api/examples.ts';
import { KNOWLEDGE_EXAMPLES } from '../platform/knowledge/api/examples.ts';
import { RUN_EXAMPLES } from '../engine/runs/api/examples.ts';
import { SERVICE_ACCOUNT_EXAMPLES } from '../features/accounts/api-keys/service-account-examples.ts';
import { serviceAccountRoutes } from '../features/accounts/api-keys/service-account-routes.ts';
import { SCHEDULE_EXAMPLES } from '../engine/schedules/api/examples.ts';
import { SUBSCRIPTION_EXAMPLES } from '../platform/billing/api/examples.ts';
import { WORKFLOW_EXAMPLES } from '../features/workflows/examples.ts';
import { buildDocumentRoutes } from '../platform/http/docs/routes.ts';
import { invitationRoutes } from '../features/accounts/invitations/routes.ts';
import { meRoutes } from '../features/accounts/me/routes.ts';
import { memberRoutes } from '../features/accounts/members/routes.ts';
import { knowledgeRoutes } from '../platform/knowledge/api/routes.ts';
import { fileRoutes } from '../platform/files/api/routes.ts';
import type { FileDeps } from '../platform/files/api/service.ts';
import { typeRoutes } from '../platform/credentials/api/own-types/routes.ts';
import type { TypeDeps } from '../platform/credentials/api/own-types/service.ts';
import { tableRoutes } from '../platform/tables/api/routes.ts';
import type { TableDeps } from '../platform/tables/api/service.ts';
import { notificationRoutes } from '../features/notifications/routes.ts';
import { NOTIFICATION_EXAMPLES } from '../features/notifications/examples.ts';
import { organizationRoutes } from '../features/accounts/organizations/routes.ts';
import { paymentRoutes } from '../platform/billing/api/payment-routes.ts';
import { runRoutes, type RunsApiDeps } from '../engine/runs/api/routes.ts';
import { subscriptionRoutes } from '../platform/billing/api/routes.ts';
import { evaluationRoutes } from '../features/workflows/evaluations/routes.ts';
import { evaluationSetRoutes } from '../features/workflows/evaluations/set-routes.ts';
import { rehearsalRoutes } from '../features/workflows/rehearsals/routes.ts';
import { budgetRoutes } from '../features/budgets/routes.ts';
import { runFilterRoutes } from '../features/run-filters/routes.ts';
import { scheduleRoutes } from '../engine/schedules/api/routes.ts';
import { supportRoutes } from '../features/accounts/support/routes.ts';
import { systemRoutes, type SystemDeps } from './system/routes.ts';
import { workflowRoutes } from '../features/workflows/routes.ts';
import type { CredentialDeps } from '../platform/credentials/api/service.ts';
import type { HookDeps } from '../features/hooks/receive.ts';
import type { NotificationDeps } from '../features/notifications/service.ts';
import type { OpenAiDeps } from '../features/openai/answer-run.ts';
import type { DocumentDeps } from '../platform/knowledge/api/documents.ts';
import type { SchedulesDeps } from '../engine/schedules/api/service.ts';
import type { SearchDeps } from '../platform/knowledge/api/search.ts';
import type { SubscriptionDeps } from '../platform/billing/api/service.ts';
import { describeDefinition } from '../language/nodes/definition-schema.ts';
import { withExamples, type Route, type RowExamples } from '../platform/http/route.ts';
import type { HttpDeps } from '../platform/http/serve-route.ts';

/** Dependencies of all routes. */
export type ApiDeps = HttpDeps &
  RunsApiDeps &
  CallbackDeps &
  AnswerPageDeps &
  CredentialDeps &
  DocumentDeps &
  FileDeps &
  HookDeps &
  NotificationDeps &
  OpenAiDeps &
  McpRouteDeps &
  SchedulesDeps &
  SearchDeps &
  SubscriptionDeps &
  SystemDeps &
  TableDeps &
  TypeDeps;

/** The tags of the API's document, in its order. */
export const TAGS: Readonly<Record<string, string>> = {
  workflows: 'Definitions of workflows: graphs of nodes and edges.',
  runs: 'Starting runs, streaming their events, and their history.',
  deployments: 'Immutable snapshots of workflows, one of them live.',
  evaluations: 'Saved sets of cases of workflows, and how definitions do on them.',
  organizations: 'Organizations, their settings, members and invitations.',
  identity: 'The authenticated user.',
  'api-keys': "The caller's API keys.",
  'service-accounts': 'Identities of an organization for its programs, with keys and limits of their own.',
  'knowledge-bases': 'Documents and semantic search over them.',
  tables: 'State that outlives runs: rows of a key and a JSON value, read and written by people and by runs.',
  files: 'Files of an organization: values of runs have references in place of bytes.',
  'data-jobs':
    'How long runs are kept; exports and erasures of an organization, a member, or the runs of a customer.',
  'audit-log': 'Who did what in the organization, when and from where.',
  credentials: 'Encrypted credentials for external services.',
  mcp: 'Workflows as tools, for clients of the Model Context Protocol.',
  openai: 'Workflows as models, for clients of OpenAI with `/openai` as their base URL.',
  integrations: 'The catalog of services that tools can call.',
  schedules: 'Schedules that start runs.',
  composer: 'Creates and edits workflows from a description.',
  assistant: 'Chat with an agent.',
  webhooks: 'Runs that other services start.',
  notifications: 'Endpoints that are told of the runs of an organization, and alerts.',
  subscriptions: 'Plans, credits and the wallet.',
  support: 'Support requests.',
  system: 'Health checks, metrics and this documentation.',
};

const EXAMPLES: RowExamples = {
  ...WORKFLOW_EXAMPLES,
  ...EFFECT_RULE_EXAMPLES,
  ...RUN_EXAMPLES,
  ...EFFECT_EXAMPLES,
  ...OUTCOME_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...CREDENTIAL_EXAMPLES,
  ...SCHEDULE_EXAMPLES,
  ...SUBSCRIPTION_EXAMPLES,
  ...CHAT_EXAMPLES,
  ...KNOWLEDGE_EXAMPLES,
  ...HOOK_EXAMPLES,
  ...CALLBACK_EXAMPLES,
  ...NOTIFICATION_EXAMPLES,
  ...ALERT_EXAMPLES,
  ...AUDIT_LOG_EXAMPLES,
  ...DATA_JOB_EXAMPLES,
  ...SERVICE_ACCOUNT_EXAMPLES,
  ...OPENAI_EXAMPLES,
  ...MCP_EXAMPLES,
};

/** Builds the routes anew: their state (failed operator keys) belongs to the application that mounts them. */
export function allRoutes(): readonly Route<ApiDeps>[] {
  const rows = withExamples<ApiDeps>(EXAMPLES, [
    ...systemRoutes(),
    ...workflowRoutes(),
    ...runRoutes,
    ...caseRoutes,
    ...runFilterRoutes,
    ...budgetRoutes,
    ...deploymentRoutes,
    ...sheetRoutes,
    ...rehearsalRoutes,
    ...evaluationSetRoutes,
    ...evaluationRoutes,
    ...effectRoutes,
    ...outcomeRoutes,
    ...effectRuleRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...credentialRoutes,
    ...modelRoutes(),
    ...integrationRoutes,
    ...apiKeyRoutes,
    ...serviceAccountRoutes,
    ...meRoutes,
    ...chatRoutes,
    ...assistantRoutes,
    ...composerRoutes,
    ...subscriptionRoutes,
    ...paymentRoutes,
    ...scheduleRoutes,
    ...hookRoutes,
    ...callbackRoutes,
    ...answerPageRoutes,
    ...errorWorkflowRoutes,
    ...notificationRoutes,
    ...alertRoutes,
    ...auditLogRoutes,
    ...dataJobRoutes,
    ...openAiRoutes,
    ...mcpRoutes,
    ...supportRoutes,
    ...knowledgeRoutes,
    ...tableRoutes,
    ...fileRoutes,
    ...typeRoutes,
  ]);
  return [...rows, ...buildDocumentRoutes(rows, { tags: TAGS, schemas: describeDefinition() })];
}
