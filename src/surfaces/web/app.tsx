/** The signed-in application: the organization of the address, and its pages. */
import { Alert, Button, Center, Group, Loader, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo } from 'react';
import { WorkflowApiError, WorkflowClient } from '../client/client.ts';
import {
  keepLastVisit,
  nameOrganization,
  openOrganization,
  readLastVisit,
  useOrganizationAddress,
} from './frame/address.ts';
import { useMyInvitations, useMyOrganizations } from './frame/memberships.ts';
import { WaitNotice } from './frame/wait-notice.tsx';
import { Invitations } from './people/invitations.tsx';
import { createPageRouter, type AppContext } from './routes.tsx';
import type { AppConfig, UserSession } from './session/session.ts';
import { noteWait } from './session/waits.ts';
import { OwnerContext } from './kit/owner.ts';
import { describeError } from './kit/describe-error.ts';
import { words } from './words.ts';

// Dialogs are loaded beside the first page, not before it.
const SessionExpired = lazy(async () => ({
  default: (await import('./session/session-expired.tsx')).SessionExpired,
}));
const loadNoMembership = () => import('./frame/no-membership.tsx');
const FirstOrganization = lazy(async () => ({ default: (await loadNoMembership()).FirstOrganization }));
const NotMember = lazy(async () => ({ default: (await loadNoMembership()).NotMember }));

function connect(session: UserSession, organizationId?: string): WorkflowClient {
  const token = () => session.token();
  const options = { baseUrl: location.origin, token, onRetry: noteWait, onRateLimited: noteWait };
  return new WorkflowClient(organizationId === undefined ? options : { ...options, organizationId });
}

interface AppProps {
  readonly session: UserSession;
  readonly config: AppConfig;
}

interface OrganizationPagesProps extends AppProps {
  readonly organizationId: string;
  readonly enter: (organizationId: string) => Promise<void>;
}

/** The pages of one organization: another one has another router, so nothing of this one stays. */
function OrganizationPages({ session, config, organizationId, enter }: OrganizationPagesProps) {
  const router = useMemo(() => createPageRouter(organizationId), [organizationId]);
  const app = useMemo<AppContext>(
    () => ({
      client: connect(session, organizationId),
      session,
      config,
      organizationId,
      undoStacks: new Map(),
      leaving: new Map(),
      enter,
    }),
    [session, config, organizationId, enter],
  );
  const owner = useMemo(() => ({ person: session.subject, organizationId }), [session, organizationId]);
  return (
    <OwnerContext value={owner}>
      <RouterProvider router={router} context={{ app }} />
    </OwnerContext>
  );
}

/** The membership that the address means, and the ways into another. */
function useMembership(client: WorkflowClient) {
  const { organizationId: addressed, rest } = useOrganizationAddress();
  const mine = useMyOrganizations(client);
  const memberships = mine.data?.organizations ?? [];
  const find = (id: string | null) => memberships.find(({ organization_id: one }) => one === id);
  // On a first visit, the organization that invited before the one that everybody owns.
  const usual = find(readLastVisit()) ?? memberships.find(({ role }) => role !== 'owner') ?? memberships[0];
  const current = addressed === null ? usual : find(addressed);
  const { refetch } = mine;
  const enter = useCallback(
    async (id: string): Promise<void> => {
      await refetch();
      // A link into the organization stays as it is.
      if (id !== addressed) openOrganization(id);
    },
    [refetch, addressed],
  );
  return { mine, addressed, rest, usual, current, enter };
}

/** Asks to sign in again where the service refuses the session, and reads then what was refused. */
function useRefusals(session: UserSession): void {
  const queries = useQueryClient();
  useEffect(() => {
    const hear = (error: unknown): void => {
      if (error instanceof WorkflowApiError && error.status === 401) session.refuse();
    };
    const stops = [
      queries.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') hear(event.action.error);
      }),
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') hear(event.action.error);
      }),
      session.subscribe(() => {
        if (session.isExpired) return;
        void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queries, session]);
}

export function App({ session, config }: AppProps) {
  useRefusals(session);
  const client = useMemo(() => connect(session), [session]);
  const { mine, addressed, rest, usual, current, enter } = useMembership(client);
  const invitations = useMyInvitations(client);
  const isNewcomer = addressed === null && readLastVisit() === null;
  const isInvited = (invitations.data?.invitations ?? []).some(
    ({ organization_id: id }) => isNewcomer || id === addressed,
  );
  const currentId = current?.organization_id;
  // A newcomer decides about the invitation first: the organization that invited is the one to begin in.
  const isWaiting = mine.isPending || (isNewcomer && invitations.isPending);
  const isReady = !isWaiting && currentId !== undefined && !(isNewcomer && isInvited);
  useEffect(() => {
    if (!isReady) return;
    keepLastVisit(currentId);
    if (addressed === null) nameOrganization(currentId, rest);
  }, [isReady, currentId, addressed, rest]);
  return (
    <>
      {isReady && addressed !== null ? (
        <OrganizationPages
          key={currentId}
          session={session}
          config={config}
          organizationId={currentId}
          enter={enter}
        />
      ) : (
        <main>
          {isInvited && (
            <Title order={1} size="h2" px="md" pt="xl">
              {words.invited.page}
            </Title>
          )}
          <Invitations
            client={client}
            person={session.subject}
            onAccepted={enter}
            onLater={() => usual !== undefined && openOrganization(usual.organization_id)}
          />
          {isWaiting && (
            <Center p="xl">
              <Loader role="status" aria-label={words.loading} />
            </Center>
          )}
          {mine.isError && (
            <Alert color="red" role="alert" m="md">
              <Group justify="space-between">
                {describeError(mine.error)}
                <Button variant="default" loading={mine.isFetching} onClick={() => void mine.refetch()}>
                  {words.again}
                </Button>
              </Group>
            </Alert>
          )}
          <div className="frame-notices">
            <WaitNotice />
          </div>
          <Suspense>
            {mine.isSuccess && usual === undefined && <FirstOrganization client={client} onCreated={enter} />}
            {addressed !== null && usual !== undefined && !isInvited && (
              <NotMember session={session} other={usual} />
            )}
          </Suspense>
        </main>
      )}
      <Suspense>
        <SessionExpired session={session} />
      </Suspense>
    </>
  );
}
