/** All rows of the API, in the order in which they are tried. */
import { apiKeyRoutes } from './api-keys/routes.ts';
import { assistantRoutes } from './chats/assistant-routes.ts';
import { chatRoutes } from './chats/routes.ts';
import { composerRoutes } from './chats/composer-routes.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { deploymentRoutes } from './deployments/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { documentRoutes } from './docs/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { meRoutes } from './me/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { knowledgeRoutes } from './knowledge-bases/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { runRoutes, type RunsApiDeps } from '../runs/api/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { supportRoutes } from './support/routes.ts';
import { systemRoutes, type SystemDeps } from './system/routes.ts';
import { workflowRoutes } from './workflows/routes.ts';
import type { CredentialDeps } from './credentials/service.ts';
import type { DocumentDeps } from './knowledge-bases/documents.ts';
import type { SchedulesDeps } from './schedules/service.ts';
import type { SearchDeps } from './knowledge-bases/search.ts';
import type { SubscriptionDeps } from './subscriptions/service.ts';
import type { Route } from '../http/route.ts';
import type { HttpDeps } from '../http/serve-route.ts';

/** What all rows need together. */
export type ApiDeps = HttpDeps &
  RunsApiDeps &
  CredentialDeps &
  DocumentDeps &
  SchedulesDeps &
  SearchDeps &
  SubscriptionDeps &
  SystemDeps;

/** A fresh table; what rows remember (wrong operator keys) belongs to the application that mounts them. */
export function allRoutes(): readonly Route<ApiDeps>[] {
  const rows: readonly Route<ApiDeps>[] = [
    ...systemRoutes(),
    ...workflowRoutes,
    ...runRoutes,
    ...deploymentRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...credentialRoutes,
    ...integrationRoutes,
    ...apiKeyRoutes,
    ...meRoutes,
    ...chatRoutes,
    ...assistantRoutes,
    ...composerRoutes,
    ...subscriptionRoutes,
    ...paymentRoutes,
    ...scheduleRoutes,
    ...supportRoutes,
    ...knowledgeRoutes,
  ];
  return [...rows, ...documentRoutes(rows)];
}
