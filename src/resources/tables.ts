/** All routes of the API, in the order in which they are matched. */
import { alertRoutes } from './alerts/routes.ts';
import { ALERT_EXAMPLES } from './alerts/examples.ts';
import { answerPageRoutes, type AnswerPageDeps } from './answers/routes.ts';
import { DATA_JOB_EXAMPLES } from './data-jobs/examples.ts';
import { dataJobRoutes } from './data-jobs/routes.ts';
import { AUDIT_LOG_EXAMPLES } from './audit-log/examples.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { assistantRoutes } from './chats/assistant-routes.ts';
import { CALLBACK_EXAMPLES } from './callbacks/examples.ts';
import { callbackRoutes, type CallbackDeps } from './callbacks/routes.ts';
import { chatRoutes } from './chats/routes.ts';
import { composerRoutes } from './chats/composer-routes.ts';
import { modelRoutes } from './credentials/model-routes.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { deploymentRoutes } from './deployments/routes.ts';
import { errorWorkflowRoutes } from './error-workflows/routes.ts';
import { hookRoutes } from './hooks/routes.ts';
import { HOOK_EXAMPLES } from './hooks/examples.ts';
import { mcpRoutes, type McpRouteDeps } from './mcp/routes.ts';
import { MCP_EXAMPLES } from './mcp/examples.ts';
import { openAiRoutes } from './openai/routes.ts';
import { OPENAI_EXAMPLES } from './openai/examples.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { ACCOUNT_EXAMPLES } from './me/account-examples.ts';
import { CHAT_EXAMPLES } from './chats/examples.ts';
import { CREDENTIAL_EXAMPLES } from './credentials/examples.ts';
import { KNOWLEDGE_EXAMPLES } from './knowledge-bases/examples.ts';
import { RUN_EXAMPLES } from '../runs/api/examples.ts';
import { SERVICE_ACCOUNT_EXAMPLES } from './api-keys/service-account-examples.ts';
import { serviceAccountRoutes } from './api-keys/service-account-routes.ts';
import { SCHEDULE_EXAMPLES } from './schedules/examples.ts';
import { SUBSCRIPTION_EXAMPLES } from './subscriptions/examples.ts';
import { WORKFLOW_EXAMPLES } from './workflows/examples.ts';
import { buildDocumentRoutes } from '../http/docs/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { meRoutes } from './me/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { knowledgeRoutes } from './knowledge-bases/routes.ts';
import { notificationRoutes } from './notification-endpoints/routes.ts';
import { NOTIFICATION_EXAMPLES } from './notification-endpoints/examples.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { runRoutes, type RunsApiDeps } from '../runs/api/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { supportRoutes } from './support/routes.ts';
import { systemRoutes, type SystemDeps } from './system/routes.ts';
import { workflowRoutes } from './workflows/routes.ts';
import type { CredentialDeps } from './credentials/service.ts';
import type { HookDeps } from './hooks/receive.ts';
import type { NotificationDeps } from './notification-endpoints/service.ts';
import type { OpenAiDeps } from './openai/answer-run.ts';
import type { DocumentDeps } from './knowledge-bases/documents.ts';
import type { SchedulesDeps } from './schedules/service.ts';
import type { SearchDeps } from './knowledge-bases/search.ts';
import type { SubscriptionDeps } from './subscriptions/service.ts';
import { describeDefinition } from '../nodes/definition-schema.ts';
import { withExamples, type Route, type RowExamples } from '../http/route.ts';
import type { HttpDeps } from '../http/serve-route.ts';

/** Dependencies of all routes. */
export type ApiDeps = HttpDeps &
  RunsApiDeps &
  CallbackDeps &
  AnswerPageDeps &
  CredentialDeps &
  DocumentDeps &
  HookDeps &
  NotificationDeps &
  OpenAiDeps &
  McpRouteDeps &
  SchedulesDeps &
  SearchDeps &
  SubscriptionDeps &
  SystemDeps;

const EXAMPLES: RowExamples = {
  ...WORKFLOW_EXAMPLES,
  ...RUN_EXAMPLES,
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
    ...deploymentRoutes,
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
  ]);
  return [...rows, ...buildDocumentRoutes(rows, describeDefinition())];
}
