/** A row of a table of addresses, of webhooks and of endpoints: a switch with the name, the URL, facts, and buttons. */
import { Button, Group, Switch, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyField } from './copy-field.tsx';

interface AddressRowProps<RowAction extends string> {
  readonly name: string;
  readonly url: string;
  readonly copyLabel: string;
  readonly enableLabel: string;
  readonly isEnabled: boolean;
  /** A problem under the name; null: none. */
  readonly problem: string | null;
  /** Further cells. */
  readonly children: ReactNode;
  /** The buttons, by what they do. */
  readonly rowActions: readonly (readonly [RowAction, string])[];
  readonly onEnable: (enabled: boolean) => void;
  readonly onAction: (act: RowAction) => void;
}

export const AddressRow = <RowAction extends string>({
  name,
  url,
  copyLabel,
  enableLabel,
  isEnabled,
  problem,
  children,
  rowActions,
  onEnable,
  onAction,
}: AddressRowProps<RowAction>) => (
  <Table.Tr>
    <Table.Td miw={{ base: 0, sm: 150 }}>
      <Switch
        label={name}
        aria-label={enableLabel}
        checked={isEnabled}
        onChange={({ currentTarget }) => onEnable(currentTarget.checked)}
      />
      {problem !== null && <Problem text={problem} />}
    </Table.Td>
    <Table.Td>
      <CopyField label={copyLabel} value={url} />
    </Table.Td>
    {children}
    <Table.Td miw={{ base: 0, sm: 230 }}>
      <Group gap="xs" justify="flex-end">
        {rowActions.map(([act, label]) => (
          <Button
            key={act}
            variant="default"
            size="compact-sm"
            aria-label={`${label}: ${name}`}
            onClick={() => onAction(act)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Table.Td>
  </Table.Tr>
);

/** A problem of an address, such as rejected requests. @param detail shown while the pointer rests on it */
export const Problem = ({
  text,
  detail,
}: {
  readonly text: string;
  readonly detail?: string | undefined;
}) => (
  <Text size="sm" c="var(--mantine-color-error)" title={detail}>
    {text}
  </Text>
);
