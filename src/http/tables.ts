/** All rows of the API, in the order in which they are tried. */
import { apiKeyRoutes } from '../resources/api-keys/routes.ts';
import { assistantRoutes } from '../resources/assistant/routes.ts';
import { chatRoutes } from '../resources/chats/routes.ts';
import { composerRoutes } from '../resources/composer/routes.ts';
import { credentialRoutes } from '../resources/credentials/routes.ts';
import { deploymentRoutes } from '../resources/deployments/routes.ts';
import { integrationRoutes } from '../resources/integrations/routes.ts';
import { documentRoutes } from '../resources/docs/routes.ts';
import { invitationRoutes } from '../resources/invitations/routes.ts';
import { meRoutes } from '../resources/me/routes.ts';
import { memberRoutes } from '../resources/members/routes.ts';
import { knowledgeRoutes } from '../resources/knowledge-bases/routes.ts';
import { organizationRoutes } from '../resources/organizations/routes.ts';
import { paymentRoutes } from '../resources/payments/routes.ts';
import { runRoutes } from '../resources/runs/routes.ts';
import { subscriptionRoutes } from '../resources/subscriptions/routes.ts';
import { scheduleRoutes } from '../resources/schedules/routes.ts';
import { supportRoutes } from '../resources/support/routes.ts';
import { systemRoutes } from '../resources/system/routes.ts';
import { workflowRoutes } from '../resources/workflows/routes.ts';
import type { Route } from './route.ts';

/** A fresh table; what rows remember (wrong operator keys) belongs to the application that mounts them. */
export function allRoutes(): readonly Route[] {
  const rows = [
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
