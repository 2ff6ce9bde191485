/** The frame of a page: heading, actions, errors, loading. */
import { Alert, Group, Loader, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { WorkflowApiError } from '../../client/client.ts';
import { words } from '../words.ts';
import { describeProblems } from './field-problem.ts';
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

const REFUSALS: ReadonlyMap<string, string> = new Map(Object.entries(words.refusals));

/** An error in words for people. A refusal says itself what is wrong; any other error is a fault that people cannot mend. */
export function describeError(error: Error): string {
  if (!(error instanceof WorkflowApiError)) return `${words.failed} ${error.message}`;
  const text = REFUSALS.get(error.code ?? '') ?? describeProblems(error) ?? error.message;
  return error.status >= 400 && error.status < 500 ? text : `${words.failed} ${text}`;
}

/** An error in words; nothing when there is none. */
export const Failure = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : (
    <Alert color="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
      {describeError(error)}
    </Alert>
  );

export const Waiting = () => <Loader role="status" aria-label={words.loading} />;
