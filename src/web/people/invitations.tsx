/** Invitations of the signed-in person, on top of every page: accept, decline, or later. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { Failure } from '../kit/page.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { words } from '../words.ts';

type Invitation = Reply<'listMyInvitations'>['invitations'][number];

interface InvitationsProps {
  readonly client: WorkflowClient;
  /** The person is a member now. */
  readonly onAccepted: (organizationId: string) => Promise<void>;
}

interface OneProps extends InvitationsProps {
  readonly invitation: Invitation;
  readonly onGone: () => void;
}

function OneInvitation({ client, invitation, onAccepted, onGone }: OneProps) {
  const accept = useMutation({
    mutationFn: () =>
      client.request('POST', '/auth/invitations/{invitation_id}/accept', {
        path: { invitation_id: invitation.id },
      }),
    onSuccess: async () => {
      await onAccepted(invitation.organization_id);
      onGone();
    },
  });
  const [isDeclining, setDeclining] = useState(false);
  const decline = useMutation({
    mutationFn: () =>
      client.request('POST', '/auth/invitations/{invitation_id}/decline', {
        path: { invitation_id: invitation.id },
      }),
    onSuccess: onGone,
  });
  return (
    <Alert color="blue" m="md" role="region" aria-label={words.invited.title}>
      <Group justify="space-between">
        <Text style={{ overflowWrap: 'anywhere' }}>
          {words.invited.to(invitation.organization_name, invitation.role)}
        </Text>
        <Group gap="xs">
          <Button loading={accept.isPending} onClick={() => accept.mutate()}>
            {words.invited.accept}
          </Button>
          <Button variant="default" onClick={onGone}>
            {words.invited.later}
          </Button>
          <Button variant="default" onClick={() => setDeclining(true)}>
            {words.invited.decline}
          </Button>
        </Group>
      </Group>
      <Failure error={accept.error} />
      <ConfirmDialog
        question={isDeclining ? words.invited.declineSure(invitation.organization_name) : null}
        action={words.invited.decline}
        isPending={decline.isPending}
        error={decline.error}
        onClose={() => setDeclining(false)}
        onConfirm={() => decline.mutate()}
      />
    </Alert>
  );
}

export function Invitations({ client, onAccepted }: InvitationsProps) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const mine = useQuery({
    queryKey: ['my-invitations'],
    queryFn: () => client.request('GET', '/auth/invitations/my'),
  });
  const open = (mine.data?.invitations ?? []).filter(({ id }) => !gone.has(id));
  return open.map((invitation) => (
    <OneInvitation
      key={invitation.id}
      client={client}
      invitation={invitation}
      onAccepted={onAccepted}
      onGone={() => setGone((before) => new Set(before).add(invitation.id))}
    />
  ));
}
