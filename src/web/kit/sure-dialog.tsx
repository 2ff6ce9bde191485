/** Asks before something that cannot be taken back; what is refused is told in it. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Failure } from './page.tsx';

interface SureProps {
  /** Null: the dialog is closed. */
  readonly question: string | null;
  readonly action: string;
  readonly isPending: boolean;
  readonly error?: Error | null;
  /** What hangs on it. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onSure: () => void;
}

export function SureDialog(props: SureProps) {
  const { question, action, isPending, error = null, children, onClose, onSure } = props;
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
          <Button color="red.9" loading={isPending} onClick={onSure}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
