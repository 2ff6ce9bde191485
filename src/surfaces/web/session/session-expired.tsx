/** Asks to sign in again when the session has expired; the page behind it stays as it is. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { words } from '../words.ts';
import { WindowBlocked, type UserSession } from './session.ts';

const describe = (error: unknown): string =>
  error instanceof WindowBlocked
    ? words.windowBlocked
    : `${words.signInFailed} ${error instanceof Error ? error.message : String(error)}`;

export function SessionExpired({ session }: { readonly session: UserSession }) {
  const isExpired = useSyncExternalStore(session.subscribe, () => session.isExpired);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = useRef<AbortController | null>(null);
  useEffect(() => () => attempt.current?.abort(), []);
  const signIn = (): void => {
    attempt.current?.abort();
    const { signal } = (attempt.current = new AbortController());
    setProblem(null);
    session.signInAgain(signal).catch((error: unknown) => {
      if (!signal.aborted) setProblem(describe(error));
    });
  };
  return (
    <Modal
      opened={isExpired}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      title={words.expired.title}
    >
      <Stack>
        <Text>{words.expired.text}</Text>
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button data-autofocus onClick={signIn}>
            {words.signIn}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
