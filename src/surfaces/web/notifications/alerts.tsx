/** The alerts: create, edit, switch off, delete; whether each is firing. */
import { Badge, Button, Group, Switch, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';
import { AlertDialog, type Alert, type AlertDraft } from './alert-dialog.tsx';

/** Alerts are checked once a minute. */
const REFRESH_MS = 30_000;

interface AlertRowProps {
  readonly alert: Alert;
  readonly workflowName: string;
  readonly onEnable: (enabled: boolean) => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

const AlertRow = ({ alert, workflowName, onEnable, onEdit, onDelete }: AlertRowProps) => (
  <Table.Tr>
    <Table.Td>
      <Switch
        label={alert.name}
        aria-label={notificationWords.enable(alert.name)}
        checked={alert.enabled}
        onChange={({ currentTarget }) => onEnable(currentTarget.checked)}
      />
    </Table.Td>
    <Table.Td>
      {notificationWords.describe[alert.kind](alert.threshold ?? 0, alert.window_minutes ?? 0)}
      <Text size="sm" c="dimmed">
        {workflowName}
      </Text>
    </Table.Td>
    <Table.Td>
      {alert.firing_since === null ? (
        alert.enabled ? (
          notificationWords.ok
        ) : (
          notificationWords.disabled
        )
      ) : (
        <Badge variant="dot" color="red">
          {notificationWords.firing(moment(alert.firing_since))}
        </Badge>
      )}
    </Table.Td>
    <Table.Td>
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${notificationWords.edit}: ${alert.name}`}
          onClick={onEdit}
        >
          {notificationWords.edit}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${notificationWords.delete}: ${alert.name}`}
          onClick={onDelete}
        >
          {notificationWords.delete}
        </Button>
      </Group>
    </Table.Td>
  </Table.Tr>
);

/** The alerts of the organization, the names of its workflows, and the changes to the alerts. */
function useAlerts(client: WorkflowClient, organizationId: string) {
  const list = useQuery({
    queryKey: [organizationId, 'alerts'],
    queryFn: () => client.request('GET', '/alerts'),
    refetchInterval: REFRESH_MS,
  });
  const workflows = useQuery({
    queryKey: [organizationId, 'workflows of alerts'],
    queryFn: () => client.request('GET', '/workflows'),
  });
  const change = useMutation({
    mutationFn: ({ alertId, enabled }: { readonly alertId: string; readonly enabled: boolean }) =>
      client.request('PATCH', '/alerts/{alert_id}', { path: { alert_id: alertId }, body: { enabled } }),
    onSettled: () => list.refetch(),
  });
  const remove = useMutation({
    mutationFn: (alertId: string) =>
      client.request('DELETE', '/alerts/{alert_id}', { path: { alert_id: alertId } }),
    onSettled: () => list.refetch(),
  });
  const save = async (alert: Alert | null, body: AlertDraft): Promise<void> => {
    const { name, threshold, window_minutes: minutes } = body;
    if (alert === null) await client.request('POST', '/alerts', { body });
    else
      await client.request('PATCH', '/alerts/{alert_id}', {
        path: { alert_id: alert.id },
        body: {
          ...(name === undefined ? {} : { name }),
          ...(typeof threshold === 'number' ? { threshold } : {}),
          ...(typeof minutes === 'number' ? { window_minutes: minutes } : {}),
        },
      });
    await list.refetch();
  };
  return { list, workflows: workflows.data?.workflows ?? [], change, remove, save };
}

interface AlertsProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function Alerts({ client, organizationId }: AlertsProps) {
  const { list, workflows, change, remove, save } = useAlerts(client, organizationId);
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<Alert | null>(null);
  const [deleting, setDeleting] = useState<Alert | null>(null);
  const close = (): void => {
    setCreating(false);
    setEditing(null);
  };
  const alerts = list.data?.alerts ?? [];
  const nameWorkflow = (id: string | null): string =>
    id === null ? notificationWords.everyWorkflow : (workflows.find((one) => one.id === id)?.name ?? id);
  return (
    <>
      <Failure error={list.error ?? change.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && alerts.length === 0 && <Text c="dimmed">{notificationWords.noAlerts}</Text>}
      {alerts.length > 0 && (
        <DataTable heads={[words.name, notificationWords.rule, notificationWords.state, null]}>
          {alerts.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              workflowName={nameWorkflow(alert.workflow_id)}
              onEnable={(enabled) => change.mutate({ alertId: alert.id, enabled })}
              onEdit={() => setEditing(alert)}
              onDelete={() => setDeleting(alert)}
            />
          ))}
        </DataTable>
      )}
      <Group>
        <Button variant="default" onClick={() => setCreating(true)}>
          {notificationWords.newAlert}
        </Button>
      </Group>
      {(isCreating || editing !== null) && (
        <AlertDialog
          alert={editing}
          workflows={workflows}
          onClose={close}
          onSave={(draft) => save(editing, draft).then(close)}
        />
      )}
      <ConfirmDialog
        question={deleting === null ? null : notificationWords.deleteAlertSure(deleting.name)}
        action={notificationWords.delete}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting !== null) remove.mutate(deleting.id, { onSuccess: () => setDeleting(null) });
        }}
      />
    </>
  );
}
