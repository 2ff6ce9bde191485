/** Asks before something that cannot be taken back. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { words } from '../words.ts';

interface SureProps {
  /** Null: the dialog is closed. */
  readonly question: string | null;
  readonly action: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onSure: () => void;
}

export const SureDialog = ({ question, action, isPending, onClose, onSure }: SureProps) => (
  <Modal opened={question !== null} onClose={onClose} title={action}>
    <Stack>
      <Text style={{ overflowWrap: 'anywhere' }}>{question}</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          {words.cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={onSure}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
