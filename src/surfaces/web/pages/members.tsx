/** Shows the members, invitations and name of the organization, and creates further organizations. */
import { Button, Group, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { buildBase } from '../frame/address.ts';
import { useMyOrganizations } from '../frame/memberships.ts';
import { CopyField } from '../kit/copy-field.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page } from '../kit/page.tsx';
import { TextDialog } from '../kit/text-dialog.tsx';
import { MemberTable } from '../people/member-table.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/members');

/** Loads the invitations of the organization, and sends or revokes one. */
function useInvitations() {
  const { client, organizationId } = route.useRouteContext().app;
  const path = { organization_id: organizationId };
  const list = useQuery({
    queryKey: [organizationId, 'invitations'],
    queryFn: () => client.request('GET', '/organizations/{organization_id}/invitations', { path }),
  });
  const invite = useMutation({
    mutationFn: (email: string) =>
      client.request('POST', '/organizations/{organization_id}/invitations', {
        path,
        body: { email, role: 'admin' },
      }),
    onSuccess: () => list.refetch(),
  });
  const withdraw = useMutation({
    mutationFn: (invitationId: string) =>
      client.request('DELETE', '/organizations/{organization_id}/invitations/{invitation_id}', {
        path: { ...path, invitation_id: invitationId },
      }),
    onSuccess: () => list.refetch(),
  });
  return { organizationId, list, invite, withdraw };
}

interface InvitationSectionProps extends ReturnType<typeof useInvitations> {
  readonly isInviting: boolean;
  readonly onClose: () => void;
}

function InvitationSection({
  organizationId,
  list,
  invite,
  withdraw,
  isInviting,
  onClose,
}: InvitationSectionProps) {
  const open = (list.data?.invitations ?? []).filter(({ status }) => status === 'pending');
  return (
    <>
      <Title order={2} size="h4">
        {words.invitations}
      </Title>
      <Failure error={list.error ?? withdraw.error} />
      {list.isSuccess && open.length === 0 && <Text c="dimmed">{words.noInvitations}</Text>}
      {open.length > 0 && (
        <>
          <Text c="dimmed">{words.invited.how}</Text>
          <CopyField
            label={words.invited.copyLink}
            value={`${location.origin}${buildBase(organizationId)}/`}
          />
          <DataTable heads={[words.email, words.invited.sent, null]}>
            {open.map((one) => (
              <Table.Tr key={one.id}>
                <Table.Td>{one.email}</Table.Td>
                <Table.Td>{moment(one.created_at)}</Table.Td>
                <Table.Td>
                  <Group justify="flex-end">
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`${words.withdraw}: ${one.email}`}
                      onClick={() => withdraw.mutate(one.id)}
                    >
                      {words.withdraw}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
        </>
      )}
      {isInviting && (
        <TextDialog
          title={words.inviteMember}
          label={words.email}
          description={words.inviteWhy}
          action={words.invite}
          field="email"
          type="email"
          isPending={invite.isPending}
          error={invite.error}
          onClose={onClose}
          onSend={(email) => invite.mutate(email, { onSuccess: onClose })}
        />
      )}
    </>
  );
}

function OrganizationSection() {
  const { client, organizationId, enter } = route.useRouteContext().app;
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'rename' | 'create' | null>(null);
  const mine = useMyOrganizations(client).data?.organizations ?? [];
  const name = mine.find((one) => one.organization_id === organizationId)?.name ?? '';
  const close = (): void => setDialog(null);
  const rename = useMutation({
    mutationFn: (next: string) => client.organizations.update(organizationId, { name: next }),
    onSuccess: () => {
      close();
      return queries.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const create = useMutation({
    mutationFn: (next: string) => client.organizations.create({ name: next }),
    onSuccess: ({ id }) => enter(id),
  });
  return (
    <>
      <Title order={2} size="h4">
        {words.organization}
      </Title>
      <Group>
        <Text style={{ overflowWrap: 'anywhere' }}>{name}</Text>
        <Button variant="default" size="compact-sm" onClick={() => setDialog('rename')}>
          {words.rename}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => setDialog('create')}>
          {words.newOrganization}
        </Button>
      </Group>
      {dialog === 'rename' && (
        <TextDialog
          title={words.renameOrganization}
          label={words.organizationName}
          action={words.rename}
          field="name"
          initial={name}
          isPending={rename.isPending}
          error={rename.error}
          onClose={close}
          onSend={(next) => rename.mutate(next)}
        />
      )}
      {dialog === 'create' && (
        <TextDialog
          title={words.newOrganization}
          label={words.organizationName}
          action={words.create}
          field="name"
          isPending={create.isPending}
          error={create.error}
          onClose={close}
          onSend={(next) => create.mutate(next)}
        />
      )}
    </>
  );
}

export function MembersPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const [isInviting, setInviting] = useState(false);
  const invitations = useInvitations();
  return (
    <Page
      title={words.members}
      actions={<Button onClick={() => setInviting(true)}>{words.inviteMember}</Button>}
    >
      <MemberTable client={client} organizationId={organizationId} />
      <InvitationSection {...invitations} isInviting={isInviting} onClose={() => setInviting(false)} />
      <OrganizationSection />
    </Page>
  );
}
