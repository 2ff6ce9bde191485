/** The deliveries to an endpoint with their attempts, read again while the dialog is open; each can be replayed. */
import { Badge, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { notificationWords } from '../words-notifications.ts';

const REFRESH_MS = 3_000;
const COLORS = { pending: 'blue', delivered: 'green', failed: 'red' } as const;
const EVENT_NAMES: Readonly<Record<string, string>> = {
  ...notificationWords.eventTypes,
  'endpoint.test': notificationWords.testEvent,
};

type Delivery = Reply<'listNotificationDeliveries'>['deliveries'][number];

/** The last attempt in words: its status, or why it failed. */
function describeAttempt({ attempts, error_code: code }: Delivery): string | null {
  const status = attempts.at(-1)?.status ?? null;
  const parts = [
    ...(status === null ? [] : [notificationWords.httpStatus(status)]),
    ...(code === null ? [] : [notificationWords.errors[code] ?? code]),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
}

interface DeliveryItemProps {
  readonly delivery: Delivery;
  readonly isPending: boolean;
  readonly onReplay: () => void;
}

const DeliveryItem = ({ delivery, isPending, onReplay }: DeliveryItemProps) => {
  const attempt = describeAttempt(delivery);
  return (
    <Stack component="li" gap={4}>
      <Group justify="space-between">
        <Group gap="xs">
          <Badge variant="dot" color={COLORS[delivery.status]}>
            {notificationWords.statuses[delivery.status]}
          </Badge>
          <Text size="sm" fw={500}>
            {EVENT_NAMES[delivery.event_type] ?? delivery.event_type}
          </Text>
          <Text size="sm">{moment(delivery.created_at)}</Text>
        </Group>
        <Button variant="default" size="compact-sm" loading={isPending} onClick={onReplay}>
          {notificationWords.replay}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {notificationWords.attempts(delivery.attempt_count)}
        {delivery.next_attempt_at !== null &&
          delivery.attempt_count > 0 &&
          ` · ${notificationWords.next(moment(delivery.next_attempt_at))}`}
        {attempt !== null && ` · ${attempt}`}
      </Text>
      <Code
        block
        tabIndex={0}
        aria-label={notificationWords.payload}
        style={{ maxHeight: 160, overflow: 'auto' }}
      >
        {JSON.stringify(delivery.payload, null, 2)}
      </Code>
    </Stack>
  );
};

interface EndpointLogProps {
  readonly client: WorkflowClient;
  readonly endpoint: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

export function EndpointLog({ client, endpoint, onClose }: EndpointLogProps) {
  const path = { endpoint_id: endpoint.id };
  const list = useInfiniteQuery({
    queryKey: ['notification deliveries', endpoint.id],
    queryFn: ({ pageParam: cursor }) =>
      client.request('GET', '/notification-endpoints/{endpoint_id}/deliveries', {
        path,
        query: { limit: 20, ...(cursor === null ? {} : { cursor }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => REFRESH_MS * Math.max(1, state.data?.pages.length ?? 1),
  });
  const replay = useMutation({
    mutationFn: (deliveryId: string) =>
      client.request('POST', '/notification-endpoints/{endpoint_id}/deliveries/{delivery_id}/replay', {
        path: { ...path, delivery_id: deliveryId },
      }),
    onSettled: () => list.refetch(),
  });
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Modal opened onClose={onClose} size="lg" title={notificationWords.logTitle(endpoint.name)}>
      <Failure error={replay.error ?? list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && deliveries.length === 0 && <Text c="dimmed">{notificationWords.noDeliveries}</Text>}
      <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {deliveries.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            isPending={replay.isPending && replay.variables === delivery.id}
            onReplay={() => replay.mutate(delivery.id)}
          />
        ))}
      </Stack>
      <LoadMore list={list} />
    </Modal>
  );
}
