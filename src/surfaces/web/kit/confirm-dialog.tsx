/** Asks before an action that cannot be undone, and shows why it failed. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Failure } from './page.tsx';

interface ConfirmProps {
  /** Null: the dialog is closed. */
  readonly question: string | null;
  readonly action: string;
  readonly isPending: boolean;
  readonly error?: Error | null;
  /** Consequences of the action. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmProps) {
  const { question, action, isPending, error = null, children, onClose, onConfirm } = props;
  return (
    <Modal opened={question !== null} onClose={onClose} title={action}>
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>{question}</Text>
        {children}
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {words.cancel}
          </Button>
          <Button color="red.9" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
