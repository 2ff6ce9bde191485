/** The signed-in application: the organizations, the menu, and the page of the address. */
import {
  Alert,
  AppShell,
  Button,
  Center,
  Group,
  Loader,
  Select,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { WorkflowClient } from '../client/client.ts';
import { Invitations } from './people/invitations.tsx';
import { router, type AppContext } from './routes.tsx';
import type { AppConfig, UserSession } from './session/session.ts';
import { words } from './words.ts';

const CHOSEN = 'organization';

function connect(session: UserSession, organizationId?: string): WorkflowClient {
  const options = { baseUrl: location.origin, token: () => session.token() };
  return new WorkflowClient(organizationId === undefined ? options : { ...options, organizationId });
}

interface AppProps {
  readonly session: UserSession;
  readonly config: AppConfig;
}

/** The organizations of the person, and the one that is worked in. */
function useOrganizations({ session, config }: AppProps) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(CHOSEN));
  const anyone = useMemo(() => connect(session), [session]);
  const mine = useQuery({
    queryKey: ['organizations'],
    queryFn: () => anyone.request('GET', '/auth/me/organizations'),
  });
  const organizations = mine.data?.organizations ?? [];
  const organizationId = (organizations.find((one) => one.organization_id === chosen) ?? organizations[0])
    ?.organization_id;
  const choose = useCallback((id: string): void => {
    localStorage.setItem(CHOSEN, id);
    setChosen(id);
    void router.navigate({ to: '/' });
  }, []);
  const { refetch } = mine;
  const enter = useCallback(
    async (id: string): Promise<void> => {
      await refetch();
      choose(id);
    },
    [refetch, choose],
  );
  const app = useMemo<AppContext | null>(
    () =>
      organizationId === undefined
        ? null
        : {
            client: connect(session, organizationId),
            session,
            config,
            organizationId,
            undoStacks: new Map(),
            enter,
          },
    [session, config, organizationId, enter],
  );
  return { anyone, mine, organizations, organizationId, app, choose, enter };
}

export function App({ session, config }: AppProps) {
  const { anyone, mine, organizations, organizationId, app, choose, enter } = useOrganizations({
    session,
    config,
  });
  return (
    <AppShell header={{ height: 52 }}>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Menu />
          <Group ml="auto" gap="xs" wrap="nowrap">
            <Select
              aria-label={words.organization}
              data={organizations.map((one) => ({ value: one.organization_id, label: one.name }))}
              value={organizationId ?? null}
              onChange={(id) => {
                if (id !== null) choose(id);
              }}
              allowDeselect={false}
              w={200}
              visibleFrom="xs"
            />
            <SchemeButton />
            <Button variant="default" onClick={() => void session.signOut()}>
              {words.signOut}
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Invitations client={anyone} onAccepted={enter} />
        {mine.isPending && (
          <Center p="xl">
            <Loader role="status" aria-label={words.loading} />
          </Center>
        )}
        {mine.isError && (
          <Alert color="red" role="alert" m="md">
            {words.failed} {mine.error.message}
          </Alert>
        )}
        {mine.isSuccess && app === null && <Text p="xl">{words.noOrganization}</Text>}
        {app !== null && <RouterProvider key={app.organizationId} router={router} context={{ app }} />}
      </AppShell.Main>
    </AppShell>
  );
}

const MENU = [
  ['/', words.workflows],
  ['/runs', words.runs],
  ['/questions', words.questions],
  ['/schedules', words.schedules],
  ['/credentials', words.credentials],
  ['/knowledge-bases', words.knowledgeBases],
  ['/chats', words.chats],
  ['/members', words.members],
  ['/api-keys', words.apiKeys],
  ['/usage', words.usage],
  ['/support', words.support.title],
] as const;

function Menu() {
  return (
    <Group
      component="nav"
      gap={0}
      wrap="nowrap"
      aria-label={words.product}
      style={{ overflowX: 'auto', minWidth: 0 }}
    >
      {MENU.map(([to, name]) => (
        <Button
          key={to}
          variant="transparent"
          px="xs"
          flex="none"
          c="var(--mantine-color-text)"
          onClick={() => void router.navigate({ to })}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <Button variant="default" onClick={() => setColorScheme(next)}>
      {words[next]}
    </Button>
  );
}
