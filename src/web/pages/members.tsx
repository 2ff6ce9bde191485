/** Who belongs to the organization, and who is invited. */
import { Button, Group, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/members');

function Invite({
  isPending,
  onInvite,
}: {
  readonly isPending: boolean;
  readonly onInvite: (email: string) => void;
}) {
  const [email, setEmail] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setEmail('');
        onInvite(email.trim());
      }}
    >
      <Group align="end">
        <TextInput
          type="email"
          label={words.email}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending} disabled={email.trim() === ''}>
          {words.invite}
        </Button>
      </Group>
    </form>
  );
}

interface MemberRow {
  readonly user_id: string;
  readonly email: string;
  readonly role: string;
  readonly created_at: string;
}

function MemberTable({ members }: { readonly members: readonly MemberRow[] }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.email}</Table.Th>
            <Table.Th>{words.role}</Table.Th>
            <Table.Th>{words.since}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Table.Tr key={member.user_id}>
              <Table.Td>{member.email}</Table.Td>
              <Table.Td>{member.role}</Table.Td>
              <Table.Td>{moment(member.created_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

export function MembersPage() {
  const { client, organizationId } = route.useRouteContext().place;
  const path = { organization_id: organizationId };
  const members = useQuery({
    queryKey: [organizationId, 'members'],
    queryFn: () => client.organizations.members(organizationId).page(),
  });
  const invitations = useQuery({
    queryKey: [organizationId, 'invitations'],
    queryFn: () => client.request('GET', '/organizations/{organization_id}/invitations', { path }),
  });
  const invite = useMutation({
    mutationFn: (email: string) =>
      client.request('POST', '/organizations/{organization_id}/invitations', {
        path,
        body: { email, role: 'admin' },
      }),
    onSuccess: () => invitations.refetch(),
  });
  const withdraw = useMutation({
    mutationFn: (invitationId: string) =>
      client.request('DELETE', '/organizations/{organization_id}/invitations/{invitation_id}', {
        path: { ...path, invitation_id: invitationId },
      }),
    onSuccess: () => invitations.refetch(),
  });
  const open = (invitations.data?.invitations ?? []).filter(({ status }) => status === 'pending');
  return (
    <Page title={words.members}>
      <Failure error={members.error ?? invitations.error ?? invite.error ?? withdraw.error} />
      {members.isPending && <Waiting />}
      {members.data !== undefined && <MemberTable members={members.data.members} />}
      <Title order={2} size="h4">
        {words.invitations}
      </Title>
      <Invite isPending={invite.isPending} onInvite={(email) => invite.mutate(email)} />
      {invitations.isSuccess && open.length === 0 && <Text c="dimmed">{words.noInvitations}</Text>}
      {open.map((one) => (
        <Group key={one.id} justify="space-between">
          <Text>{one.email}</Text>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${words.withdraw}: ${one.email}`}
            onClick={() => withdraw.mutate(one.id)}
          >
            {words.withdraw}
          </Button>
        </Group>
      ))}
    </Page>
  );
}
