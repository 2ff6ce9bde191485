/** The menu of the signed-in person: the theme, and signing out. */
import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleUser, LogOut, Moon, Sun } from 'lucide-react';
import type { WorkflowClient } from '../../client/client.ts';
import type { UserSession } from '../session/session.ts';
import { words } from '../words.ts';

interface AccountMenuProps {
  readonly client: WorkflowClient;
  readonly session: UserSession;
}

export function AccountMenu({ client, session }: AccountMenuProps) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
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
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void session.signOut()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
