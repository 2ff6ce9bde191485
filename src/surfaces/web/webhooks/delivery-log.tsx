/** The requests that a webhook has received, read again while the dialog is open; each can be delivered again. */
import { Badge, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { webhookWords } from '../words-webhooks.ts';

const REFRESH_MS = 5_000;
const COLORS = {
  started: 'green',
  filtered: 'gray',
  failed: 'red',
  captured: 'blue',
  rejected: 'red',
} as const;

type Delivery = Reply<'listHookDeliveries'>['deliveries'][number];

interface DeliveryLogProps {
  readonly client: WorkflowClient;
  readonly workflowId: string;
  readonly hook: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

interface DeliveryItemProps {
  readonly delivery: Delivery;
  readonly isPending: boolean;
  readonly onRedeliver: () => void;
}

const DeliveryItem = ({ delivery, isPending, onRedeliver }: DeliveryItemProps) => (
  <Stack component="li" gap={4}>
    <Group justify="space-between">
      <Group gap="xs">
        <Badge variant="dot" color={COLORS[delivery.outcome]}>
          {webhookWords.outcomes[delivery.outcome]}
        </Badge>
        <Text size="sm">{moment(delivery.received_at)}</Text>
        {delivery.response !== null && (
          <Text size="sm">{webhookWords.response(delivery.response.status)}</Text>
        )}
        {delivery.run_pk !== null && (
          <TextLink size="sm" to="/runs/$runPk" params={{ runPk: delivery.run_pk }}>
            {webhookWords.run}
          </TextLink>
        )}
      </Group>
      <Button variant="default" size="compact-sm" loading={isPending} onClick={onRedeliver}>
        {webhookWords.redeliver}
      </Button>
    </Group>
    {delivery.error !== null && (
      <Text size="sm" c="var(--mantine-color-error)">
        {delivery.error.message}
      </Text>
    )}
    <Code block tabIndex={0} aria-label={webhookWords.request} style={{ maxHeight: 160, overflow: 'auto' }}>
      {JSON.stringify(delivery.request.body ?? delivery.request.query, null, 2)}
    </Code>
  </Stack>
);

export function DeliveryLog({ client, workflowId, hook, onClose }: DeliveryLogProps) {
  const path = { workflow_id: workflowId, hook_id: hook.id };
  const list = useInfiniteQuery({
    queryKey: ['hook deliveries', hook.id],
    queryFn: ({ pageParam: cursor }) =>
      client.request('GET', '/workflows/{workflow_id}/hooks/{hook_id}/deliveries', {
        path,
        query: { limit: 20, ...(cursor === null ? {} : { cursor }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => REFRESH_MS * Math.max(1, state.data?.pages.length ?? 1),
  });
  const redeliver = useMutation({
    mutationFn: (deliveryId: string) =>
      client.request('POST', '/workflows/{workflow_id}/hooks/{hook_id}/deliveries/{delivery_id}/redeliver', {
        path: { ...path, delivery_id: deliveryId },
      }),
    onSettled: () => list.refetch(),
  });
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Modal opened onClose={onClose} size="lg" title={webhookWords.logTitle(hook.name)}>
      <Failure error={redeliver.error ?? list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && deliveries.length === 0 && <Text c="dimmed">{webhookWords.noDeliveries}</Text>}
      <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {deliveries.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            isPending={redeliver.isPending && redeliver.variables === delivery.id}
            onRedeliver={() => redeliver.mutate(delivery.id)}
          />
        ))}
      </Stack>
      <LoadMore list={list} />
    </Modal>
  );
}
