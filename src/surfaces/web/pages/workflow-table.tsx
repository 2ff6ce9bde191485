/** The list of workflows: a table, or cards where the window is narrow. */
import { ActionIcon, Badge, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { Download, Trash2 } from 'lucide-react';
import { DataTable } from '../kit/data-table.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { useNarrow } from '../kit/use-narrow.ts';
import { RelativeTime } from '../kit/relative-time.tsx';
import { words } from '../words.ts';

const STATES: Readonly<Record<string, string>> = words.workflowStates;

export interface WorkflowItem {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly updated_at: string;
  readonly live_deployment_id: string | null;
}

interface TableProps {
  readonly rows: readonly WorkflowItem[];
  readonly onExport: (row: WorkflowItem) => void;
  readonly onDelete: (row: WorkflowItem) => void;
}

type RowProps = Omit<TableProps, 'rows'> & { readonly row: WorkflowItem };

const Name = ({ row }: { readonly row: WorkflowItem }) => (
  <TextLink
    to="/workflows/$workflowId"
    params={{ workflowId: row.id }}
    search={{}}
    style={{ overflowWrap: 'anywhere' }}
  >
    {row.name}
  </TextLink>
);

/** The version in production: the label of the workflow does not tell it. */
function State({ row }: { readonly row: WorkflowItem }) {
  const isLive = row.live_deployment_id !== null && row.status !== 'archived';
  return (
    <Badge variant={isLive ? 'light' : 'default'} color={isLive ? 'green' : 'gray'}>
      {isLive ? words.workflowLive : (STATES[row.status] ?? row.status)}
    </Badge>
  );
}

const RowActions = ({ row, onExport, onDelete }: RowProps) => (
  <Group gap={4} justify="flex-end" wrap="nowrap">
    <ActionIcon
      variant="subtle"
      aria-label={`${words.exportWorkflow}: ${row.name}`}
      title={words.exportWorkflow}
      onClick={() => onExport(row)}
    >
      <Download size={16} />
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={`${words.remove}: ${row.name}`}
      title={words.remove}
      onClick={() => onDelete(row)}
    >
      <Trash2 size={16} />
    </ActionIcon>
  </Group>
);

const Card = (props: RowProps) => (
  <Paper component="li" withBorder p="sm">
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <Stack gap={4} miw={0}>
        <Name row={props.row} />
        <Group gap="xs">
          <State row={props.row} />
          <Text size="xs" c="dimmed">
            <RelativeTime at={props.row.updated_at} />
          </Text>
        </Group>
      </Stack>
      <RowActions {...props} />
    </Group>
  </Paper>
);

export function WorkflowTable({ rows, ...actions }: TableProps) {
  if (useNarrow())
    return (
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map((row) => (
          <Card key={row.id} row={row} {...actions} />
        ))}
      </Stack>
    );
  return (
    <DataTable heads={[words.name, words.status, words.edited, null]}>
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td>
            <Name row={row} />
          </Table.Td>
          <Table.Td>
            <State row={row} />
          </Table.Td>
          <Table.Td>
            <RelativeTime at={row.updated_at} />
          </Table.Td>
          <Table.Td>
            <RowActions row={row} {...actions} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
