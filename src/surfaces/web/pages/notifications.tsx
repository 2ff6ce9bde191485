/** Shows the notification endpoints and the alerts of the organization. */
import { Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';
import { Alerts } from '../notifications/alerts.tsx';
import { Endpoints } from '../notifications/endpoints.tsx';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';

const route = getRouteApi('/notifications');

export function NotificationsPage() {
  const { client, organizationId } = route.useRouteContext().app;
  return (
    <Page title={words.notifications}>
      <Stack gap="xl">
        <Endpoints client={client} organizationId={organizationId} />
        <Stack component="section" aria-label={notificationWords.alerts}>
          <Title order={2} size="h4">
            {notificationWords.alerts}
          </Title>
          <Alerts client={client} organizationId={organizationId} />
        </Stack>
      </Stack>
    </Page>
  );
}
