/** The button that deletes an entry of a list or a form. */
import { ActionIcon } from '@mantine/core';
import { Trash2 } from 'lucide-react';

interface DeleteButtonProps {
  /** Names the entry, for those who do not see its place. */
  readonly label: string | undefined;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function DeleteButton({ label, disabled = false, onClick }: DeleteButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
      <Trash2 size={14} aria-hidden />
    </ActionIcon>
  );
}
