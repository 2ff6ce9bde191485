/** The endpoints of the organization, and the changes to them. A secret is kept as long as its dialog is open. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Body, Reply } from '../../client/operations.ts';
import { notificationWords } from '../words-notifications.ts';
import type { EndpointDraft } from './endpoint-dialog.tsx';

export type Endpoint = Reply<'listNotificationEndpoints'>['endpoints'][number];

interface ShownSecret {
  readonly title: string;
  readonly secret: string;
}

export function useEndpoints(client: WorkflowClient, organizationId: string) {
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const list = useQuery({
    queryKey: [organizationId, 'notification endpoints'],
    queryFn: () => client.request('GET', '/notification-endpoints'),
  });
  const change = useMutation({
    mutationFn: ({
      endpointId,
      body,
    }: {
      readonly endpointId: string;
      readonly body: Body<'updateNotificationEndpoint'>;
    }) =>
      client.request('PATCH', '/notification-endpoints/{endpoint_id}', {
        path: { endpoint_id: endpointId },
        body,
      }),
    onSettled: () => list.refetch(),
  });
  const act = useMutation({
    mutationFn: async ({
      endpoint,
      what,
    }: {
      readonly endpoint: Endpoint;
      readonly what: 'test' | 'rotate' | 'delete';
    }) => {
      const of = { path: { endpoint_id: endpoint.id } };
      if (what === 'delete') await client.request('DELETE', '/notification-endpoints/{endpoint_id}', of);
      else if (what === 'test')
        await client.request('POST', '/notification-endpoints/{endpoint_id}/test', of);
      else {
        const rotated = await client.request('POST', '/notification-endpoints/{endpoint_id}/rotate', of);
        setSecret({ title: notificationWords.rotated, secret: rotated.secret });
      }
    },
    onSettled: () => list.refetch(),
  });
  const save = async (endpoint: Endpoint | null, body: EndpointDraft): Promise<void> => {
    if (endpoint === null) {
      const created = await client.request('POST', '/notification-endpoints', { body });
      await list.refetch();
      setSecret({ title: notificationWords.created, secret: created.secret });
      return;
    }
    await client.request('PATCH', '/notification-endpoints/{endpoint_id}', {
      path: { endpoint_id: endpoint.id },
      body,
    });
    await list.refetch();
  };
  return { list, change, act, save, secret, forgetSecret: () => setSecret(null) };
}
