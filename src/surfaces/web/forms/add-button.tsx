/** The button that adds an entry to a list of a form. */
import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';

interface AddButtonProps {
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onClick: () => void;
}

export const AddButton = ({ label, isReadOnly, onClick }: AddButtonProps) => (
  <Button
    size="compact-xs"
    variant="light"
    leftSection={<Plus size={14} aria-hidden />}
    disabled={isReadOnly}
    onClick={onClick}
  >
    {label}
  </Button>
);
