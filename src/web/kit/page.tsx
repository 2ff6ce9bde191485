/** The frame of a page: its heading, what can be done, what went wrong, and that it is still on its way. */
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

const wordsOf = (error: Error): string =>
  (error instanceof WorkflowApiError ? REFUSALS.get(error.code ?? '') : undefined) ?? error.message;

/** What was refused, in words; nothing while nothing was. */
export const Failure = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : (
    <Alert color="red" role="alert">
      {words.failed} {wordsOf(error)}
    </Alert>
  );

export const Waiting = () => <Loader role="status" aria-label={words.loading} />;
