/** Who belongs to the organization, and who is invited. */
import { Button, Group, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { LineForm } from '../kit/line-form.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/members');

interface MemberRow {
  readonly user_id: string;
  readonly email: string;
  readonly role: string;
  readonly created_at: string;
}

function MemberTable({ members }: { readonly members: readonly MemberRow[] }) {
  return (
    <DataTable heads={[words.email, words.role, words.since]}>
      {members.map((member) => (
        <Table.Tr key={member.user_id}>
          <Table.Td>{member.email}</Table.Td>
          <Table.Td>{member.role}</Table.Td>
          <Table.Td>{moment(member.created_at)}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
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
      <LineForm
        type="email"
        label={words.email}
        action={words.invite}
        isPending={invite.isPending}
        onSend={(email) => invite.mutate(email)}
      />
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
