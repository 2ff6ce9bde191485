/** The frame of a page: heading, actions, errors, loading. */
import { Alert, Group, Loader, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { WorkflowApiError } from '../../client/client.ts';
import { words } from '../words.ts';

interface PageProps {
  readonly title: string;
  /** Beside the title: how it stands. */
  readonly mark?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, mark, actions, children }: PageProps) {
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

const REFUSALS: ReadonlyMap<string, string> = new Map(Object.entries(words.refusals));

/** An error in words for people. */
export const describeError = (error: Error): string =>
  (error instanceof WorkflowApiError ? REFUSALS.get(error.code ?? '') : undefined) ?? error.message;

/** An error in words; nothing when there is none. */
export const Failure = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : (
    <Alert color="red" role="alert">
      {words.failed} {describeError(error)}
    </Alert>
  );

export const Waiting = () => <Loader role="status" aria-label={words.loading} />;
