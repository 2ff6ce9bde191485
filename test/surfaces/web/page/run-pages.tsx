/** The pages of the application at their own addresses, beginning with the list of runs. */
import { RouterProvider } from '@tanstack/react-router';
import { WorkflowClient } from '../../../../src/surfaces/client/client.ts';
import { buildBase, pageHistory } from '../../../../src/surfaces/web/frame/address.ts';
import { createPageRouter } from '../../../../src/surfaces/web/routes.tsx';
import type { UserSession } from '../../../../src/surfaces/web/session/session.ts';

interface RunPagesProps {
  readonly organizationId: string;
  readonly session: Pick<UserSession, 'token' | 'subject'>;
}

export function RunPages({ organizationId, session }: RunPagesProps) {
  pageHistory.replace(`${buildBase(organizationId)}/runs`);
  const config = {
    issuer: null,
    client_id: '',
    realtime_url: null,
    temporal_ui_url: null,
    temporal_namespace: '',
  };
  const app = {
    client: new WorkflowClient({
      baseUrl: location.origin,
      token: () => session.token(),
      organizationId,
    }),
    session: session as UserSession,
    config,
    organizationId,
    undoStacks: new Map(),
    leaving: new Map(),
    enter: () => Promise.resolve(),
  };
  return <RouterProvider router={createPageRouter(organizationId)} context={{ app }} />;
}
