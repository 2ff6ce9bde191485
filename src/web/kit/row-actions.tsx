/** The buttons at the end of a table row. */
import { Button, Group } from '@mantine/core';

interface RowActionsProps<Action extends string> {
  /** The name of the row's object, which tells the buttons of different rows apart. */
  readonly name: string;
  readonly actions: readonly (readonly [action: Action, label: string])[];
  readonly onAction: (action: Action) => void;
}

export function RowActions<Action extends string>({ name, actions, onAction }: RowActionsProps<Action>) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {actions.map(([action, label]) => (
        <Button
          key={action}
          variant="default"
          size="compact-sm"
          aria-label={`${label}: ${name}`}
          onClick={() => onAction(action)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
