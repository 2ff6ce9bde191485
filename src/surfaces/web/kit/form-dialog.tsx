/** A form in a dialog: its fields, the errors that belong to no field, and the button that sends it. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Failure } from './page.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The button that sends the form. */
  readonly action: string;
  readonly isReady: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, isReady, isPending, error, children, onClose, onSubmit } = props;
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) onSubmit();
        }}
      >
        <Stack>
          {children}
          <Failure error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
