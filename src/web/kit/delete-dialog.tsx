/** Asks before something is deleted for good; what is refused is told in it. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Failure } from './page.tsx';

interface DeleteDialogProps {
  readonly question: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly error?: Error | null;
  /** What hangs on it. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { question, isOpen, isPending, error = null, children, onClose, onDelete } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.remove}>
      <Stack>
        <Text>{question}</Text>
        {children}
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {words.cancel}
          </Button>
          <Button color="red.9" loading={isPending} onClick={onDelete}>
            {words.remove}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
