/** The frame around every page: the organization, the ways to other pages, and notices. */
import './frame.css';
import { AppShell, Group } from '@mantine/core';
import { Outlet, useMatchRoute, useRouteContext } from '@tanstack/react-router';
import { BrandMark } from '../kit/brand-mark.tsx';
import { Invitations } from '../people/invitations.tsx';
import { words } from '../words.ts';
import { AccountMenu } from './account-menu.tsx';
import { BottomBar, Sidebar } from './navigation.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import { ReleaseNotice } from './release-notice.tsx';
import { WaitNotice } from './wait-notice.tsx';

const HEADER_PX = 52;
const BAR_PX = 56;
const SIDEBAR_PX = 216;
const RAIL_PX = 52;

export function Shell() {
  const { client, session, enter } = useRouteContext({ from: '__root__' }).app;
  // The canvas needs the width.
  const isCanvas = useMatchRoute()({ to: '/workflows/$workflowId' }) !== false;
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: isCanvas ? RAIL_PX : SIDEBAR_PX, breakpoint: 'xs', collapsed: { mobile: true } }}
      footer={{ height: { base: BAR_PX, xs: 0 } }}
      transitionDuration={0}
    >
      <AppShell.Header>
        <a
          className="frame-skip"
          href="#main"
          onClick={(event) => {
            event.preventDefault();
            document.querySelector<HTMLElement>('#main')?.focus();
          }}
        >
          {words.skip}
        </a>
        <Group h="100%" px="md" gap="sm" justify="space-between" wrap="nowrap">
          <BrandMark />
          <Group gap="xs" wrap="nowrap" miw={0}>
            <OrganizationMenu />
            <AccountMenu client={client} session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom="xs">
        <Sidebar isIconOnly={isCanvas} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Invitations client={client} person={session.subject} onAccepted={enter} />
        <Outlet />
        <div className="frame-notices">
          <WaitNotice />
          <ReleaseNotice />
        </div>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="xs">
        <BottomBar />
      </AppShell.Footer>
    </AppShell>
  );
}
