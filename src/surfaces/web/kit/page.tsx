/** The frame of a page: heading, actions, errors, loading. */
import { Alert, Group, Loader, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { describeError } from './describe-error.ts';
import { useTitle } from './use-title.ts';

interface PageProps {
  readonly title: string;
  /** Beside the title: how it stands. */
  readonly mark?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, mark, actions, children }: PageProps) {
  useTitle(title);
  return (
    <Stack p="md" maw={1100} mx="auto">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {mark}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}

/** Shows an error; nothing when there is none. */
export const Failure = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : (
    <Alert color="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
      {describeError(error)}
    </Alert>
  );

export const Waiting = () => <Loader role="status" aria-label={words.loading} />;
