/**
 * The webhooks of a workflow: create, copy the URL, switch off, rotate, delete, and look at what each has received. The error
 * workflow is chosen below them.
 */
import { Button, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import type { Body } from '../../client/operations.ts';
import { AddressRow, Problem } from '../kit/address-row.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { useWorkflowName } from '../kit/use-workflow-name.ts';
import { DeliveryLog } from '../webhooks/delivery-log.tsx';
import { ErrorWorkflow } from '../webhooks/error-workflow.tsx';
import { HookDialog, type Hook } from '../webhooks/hook-dialog.tsx';
import { SecretsDialog } from '../webhooks/secret-fields.tsx';
import { webhookWords } from '../words-webhooks.ts';
import { words } from '../words.ts';

const route = getRouteApi('/workflows/$workflowId/webhooks');

type RowAction = 'edit' | 'secrets' | 'log' | 'rotate' | 'delete';

/** Of a webhook that the definition describes, only what belongs to this environment can be changed. */
function listActions({ trigger, verification }: Hook): readonly (readonly [RowAction, string])[] {
  const log = ['log', webhookWords.log] as const;
  const rotate = ['rotate', webhookWords.rotate] as const;
  const remove = ['delete', webhookWords.delete] as const;
  if (trigger === null) return [log, ['edit', webhookWords.edit], rotate, remove];
  const secrets = verification === 'none' ? [] : [['secrets', webhookWords.secrets] as const];
  return [log, ...secrets, rotate, ...(trigger.is_live ? [] : [remove])];
}

/** Tells why a webhook that the definition describes starts nothing; null when it does. */
function findProblem({ trigger, verification, secret_count: count }: Hook): string | null {
  if (trigger === null) return null;
  if (!trigger.is_live) return webhookWords.notLive;
  return verification !== 'none' && count === 0 ? webhookWords.noSecret : null;
}

/** Tells whether requests come and none of them starts anything. */
const isAllFiltered = ({ recent_deliveries: recent }: Hook): boolean =>
  recent.filtered > 0 && recent.started + recent.failed + recent.captured + recent.rejected === 0;

/** The hooks of the workflow, and the changes to them. */
function useHooks(workflowId: string) {
  const { client, organizationId } = route.useRouteContext().app;
  const path = { workflow_id: workflowId };
  const list = useQuery({
    queryKey: [organizationId, 'hooks', workflowId],
    queryFn: () => client.request('GET', '/workflows/{workflow_id}/hooks', { path }),
  });
  const change = useMutation({
    mutationFn: ({ hookId, body }: { readonly hookId: string; readonly body: Body<'updateHook'> }) =>
      client.request('PATCH', '/workflows/{workflow_id}/hooks/{hook_id}', {
        path: { ...path, hook_id: hookId },
        body,
      }),
    onSettled: () => list.refetch(),
  });
  const act = useMutation({
    mutationFn: async ({ hookId, what }: { readonly hookId: string; readonly what: 'rotate' | 'delete' }) => {
      const of = { path: { ...path, hook_id: hookId } };
      if (what === 'delete') await client.request('DELETE', '/workflows/{workflow_id}/hooks/{hook_id}', of);
      else await client.request('POST', '/workflows/{workflow_id}/hooks/{hook_id}/rotate', of);
    },
    onSettled: () => list.refetch(),
  });
  const save = async (hook: Hook | null, body: Body<'updateHook'>): Promise<void> => {
    if (hook === null)
      await client.request('POST', '/workflows/{workflow_id}/hooks', {
        path,
        body: body as Body<'createHook'>,
      });
    else
      await client.request('PATCH', '/workflows/{workflow_id}/hooks/{hook_id}', {
        path: { ...path, hook_id: hook.id },
        body,
      });
    await list.refetch();
  };
  return { client, organizationId, list, change, act, save };
}

export function WebhooksPage() {
  const { workflowId } = route.useParams();
  const { client, organizationId, list, change, act, save } = useHooks(workflowId);
  const name = useWorkflowName({ client, organizationId, workflowId });
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly hook: Hook; readonly what: RowAction } | null>(null);
  const hooks = list.data?.hooks ?? [];
  const sure = chosen?.what === 'rotate' || chosen?.what === 'delete' ? chosen : null;
  const close = (): void => {
    setChosen(null);
    setCreating(false);
  };
  const newButton = (label: string) => <Button onClick={() => setCreating(true)}>{label}</Button>;
  return (
    <Page
      title={webhookWords.title(name ?? '…')}
      actions={
        <>
          <TextLink to="/workflows/$workflowId/versions" params={{ workflowId }}>
            {webhookWords.toVersions}
          </TextLink>
          {hooks.length > 0 && newButton(webhookWords.new)}
        </>
      }
    >
      <Failure error={list.error ?? change.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && hooks.length === 0 && (
        <EmptyState
          icon={Webhook}
          title={webhookWords.none.title}
          text={webhookWords.none.text}
          action={newButton(webhookWords.none.action)}
        />
      )}
      {hooks.length > 0 && (
        <DataTable
          heads={[words.name, webhookWords.url, webhookWords.verification, webhookWords.lastRequest, null]}
        >
          {hooks.map((hook) => (
            <AddressRow
              key={hook.id}
              name={hook.name}
              url={hook.url}
              copyLabel={webhookWords.copyUrl}
              enableLabel={webhookWords.enable(hook.name)}
              isEnabled={hook.enabled}
              problem={findProblem(hook)}
              rowActions={listActions(hook)}
              onEnable={(enabled) => change.mutate({ hookId: hook.id, body: { enabled } })}
              onAction={(what) => setChosen({ hook, what })}
            >
              <Table.Td>
                {webhookWords.verifications[hook.verification]}
                {hook.trigger !== null && (
                  <Text size="sm" c="dimmed">
                    {webhookWords.trigger(hook.trigger.id)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {moment(hook.last_delivery_at) || words.never}
                {hook.rejected_count > 0 && (
                  <Problem
                    text={webhookWords.rejected(hook.rejected_count)}
                    detail={hook.last_rejected_reason ?? undefined}
                  />
                )}
                {isAllFiltered(hook) && (
                  <Problem
                    text={webhookWords.allFiltered(hook.recent_deliveries.filtered)}
                    detail={webhookWords.allFilteredWhy}
                  />
                )}
              </Table.Td>
            </AddressRow>
          ))}
        </DataTable>
      )}
      <ErrorWorkflow client={client} organizationId={organizationId} workflowId={workflowId} />
      {(isCreating || chosen?.what === 'edit') && (
        <HookDialog
          hook={chosen?.hook ?? null}
          onClose={close}
          onSave={(draft) => save(chosen?.hook ?? null, draft).then(close)}
        />
      )}
      {chosen?.what === 'secrets' && (
        <SecretsDialog
          hook={chosen.hook}
          onClose={close}
          onSave={(secrets) => save(chosen.hook, { secrets: [...secrets] }).then(close)}
        />
      )}
      {chosen?.what === 'log' && (
        <DeliveryLog client={client} workflowId={workflowId} hook={chosen.hook} onClose={close} />
      )}
      <ConfirmDialog
        question={
          sure === null
            ? null
            : sure.what === 'rotate'
              ? webhookWords.rotateSure(sure.hook.name)
              : webhookWords.deleteSure(sure.hook.name)
        }
        action={sure?.what === 'rotate' ? webhookWords.rotate : webhookWords.delete}
        isPending={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => {
          if (sure?.what === 'rotate' || sure?.what === 'delete')
            act.mutate({ hookId: sure.hook.id, what: sure.what }, { onSuccess: close });
        }}
      />
    </Page>
  );
}
