/** The menu of the signed-in person: the theme, and signing out. */
import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { CircleUser, LogOut, Moon, Sun } from 'lucide-react';
import type { WorkflowClient } from '../../client/client.ts';
import type { UserSession } from '../session/session.ts';
import { words } from '../words.ts';

const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

/** Whether the page would ask before the tab is closed. */
const hasUnsaved = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

interface AccountMenuProps {
  readonly client: WorkflowClient;
  readonly session: UserSession;
}

export function AccountMenu({ client, session }: AccountMenuProps) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const [isAsking, setAsking] = useState(false);
  const signOut = () => void session.signOut();
  const me = useQuery({ queryKey: ['me'], queryFn: () => client.me.get() });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.account}>
          <CircleUser size={20} strokeWidth={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {me.data !== undefined && (
          <Menu.Label style={{ overflowWrap: 'anywhere' }}>{me.data.email}</Menu.Label>
        )}
        <Menu.Item
          leftSection={isDark ? <Sun size={16} /> : <Moon size={16} />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? words.lightTheme : words.darkTheme}
        </Menu.Item>
        <Menu.Item
          leftSection={<LogOut size={16} />}
          onClick={() => (hasUnsaved() ? setAsking(true) : signOut())}
        >
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
      {isAsking && (
        <Suspense>
          <SignOutDialog onClose={() => setAsking(false)} onConfirm={signOut} />
        </Suspense>
      )}
    </Menu>
  );
}
