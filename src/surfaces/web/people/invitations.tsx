/** Invitations of the signed-in person, on top of every page: accept, decline, or later. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { useMyInvitations, type Invitation } from '../frame/memberships.ts';
import { keptAt } from '../kit/kept-state.ts';
import { Failure } from '../kit/page.tsx';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { words } from '../words.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../kit/confirm-dialog.tsx')).ConfirmDialog,
}));

interface InvitationsProps {
  readonly client: WorkflowClient;
  /** The subject of the person who is signed in. */
  readonly person: string;
  /** The person is a member now. */
  readonly onAccepted: (organizationId: string) => Promise<void>;
  /** Every invitation was declined, or left for later. */
  readonly onLater?: () => void;
}

interface OneProps extends Pick<InvitationsProps, 'client' | 'onAccepted'> {
  readonly invitation: Invitation;
  readonly onHide: () => void;
  /** It was refused: it stays to say why, although it may not be open any more. */
  readonly onRefused: () => void;
  readonly onLater: () => void;
}

function OneInvitation({ client, invitation, onAccepted, onHide, onRefused, onLater }: OneProps) {
  const accept = useMutation({
    mutationFn: () =>
      client.request('POST', '/auth/invitations/{invitation_id}/accept', {
        path: { invitation_id: invitation.id },
      }),
    onSuccess: async () => {
      onHide();
      await onAccepted(invitation.organization_id);
    },
    onError: onRefused,
  });
  const [isDeclining, setDeclining] = useState(false);
  const decline = useMutation({
    mutationFn: () =>
      client.request('POST', '/auth/invitations/{invitation_id}/decline', {
        path: { invitation_id: invitation.id },
      }),
    onSuccess: onLater,
    onError: onRefused,
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
          <Button variant="default" onClick={onLater}>
            {words.invited.later}
          </Button>
          <Button variant="default" onClick={() => setDeclining(true)}>
            {words.invited.decline}
          </Button>
        </Group>
      </Group>
      <Failure error={accept.error} />
      <Suspense>
        <ConfirmDialog
          question={isDeclining ? words.invited.declineSure(invitation.organization_name) : null}
          action={words.invited.decline}
          isPending={decline.isPending}
          error={decline.error}
          onClose={() => setDeclining(false)}
          onConfirm={() => decline.mutate()}
        />
      </Suspense>
    </Alert>
  );
}

export function Invitations({ client, person, onAccepted, onLater }: InvitationsProps) {
  const later = keptAt('invitations-later', { person });
  const [hidden, setHidden] = useState((): ReadonlySet<string> => new Set(later.read()?.split(' ')));
  const mine = useMyInvitations(client);
  const open = (mine.data?.invitations ?? []).filter(({ id }) => !hidden.has(id));
  const hide = (id: string): void => {
    const all = new Set(hidden).add(id);
    later.write([...all].join(' '));
    setHidden(all);
  };
  const { rows, hold } = useHeldRows(open, ({ id }) => id);
  const shown = rows.filter(({ row }) => !hidden.has(row.id));
  return shown.map(({ row: invitation }) => (
    <OneInvitation
      key={invitation.id}
      client={client}
      invitation={invitation}
      onAccepted={onAccepted}
      onHide={() => hide(invitation.id)}
      onRefused={() => hold(invitation)}
      onLater={() => {
        hide(invitation.id);
        if (shown.length === 1) onLater?.();
      }}
    />
  ));
}
