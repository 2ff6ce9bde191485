/** The organization: its name, who belongs to it, who is invited; and where another one is made. */
import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Failure, Page } from '../kit/page.tsx';
import { LineForm } from '../kit/line-form.tsx';
import { MemberTable } from '../people/member-table.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/members');

function InvitationPart() {
  const { client, organizationId } = route.useRouteContext().app;
  const path = { organization_id: organizationId };
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
    <>
      <Title order={2} size="h4">
        {words.invitations}
      </Title>
      <Failure error={invitations.error ?? invite.error ?? withdraw.error} />
      <LineForm
        type="email"
        label={words.email}
        action={words.invite}
        isPending={invite.isPending}
        onSend={(email) => invite.mutate(email)}
      />
      {invitations.isSuccess && open.length === 0 && <Text c="dimmed">{words.noInvitations}</Text>}
      {open.length > 0 && <Text c="dimmed">{words.invited.how(`${location.origin}/app/`)}</Text>}
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
    </>
  );
}

function OrganizationPart() {
  const { client, organizationId, enter } = route.useRouteContext().app;
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => client.organizations.update(organizationId, { name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['organizations'] }),
  });
  const create = useMutation({
    mutationFn: (name: string) => client.organizations.create({ name }),
    onSuccess: ({ id }) => enter(id),
  });
  return (
    <>
      <Title order={2} size="h4">
        {words.organization}
      </Title>
      <Failure error={rename.error ?? create.error} />
      <LineForm
        label={words.organizationName}
        action={words.rename}
        maxLength={255}
        isPending={rename.isPending}
        onSend={(name) => rename.mutate(name)}
      />
      <LineForm
        label={words.organizationOther}
        action={words.create}
        maxLength={255}
        isPending={create.isPending}
        onSend={(name) => create.mutate(name)}
      />
    </>
  );
}

export function MembersPage() {
  const { client, organizationId } = route.useRouteContext().app;
  return (
    <Page title={words.members}>
      <MemberTable client={client} organizationId={organizationId} />
      <InvitationPart />
      <OrganizationPart />
    </Page>
  );
}
