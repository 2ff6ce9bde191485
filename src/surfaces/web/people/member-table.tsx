/** The members: their roles are changed here, and they are taken out; who may do that the API says. */
import { Button, Select, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { words } from '../words.ts';

type Member = Reply<'listMembers'>['members'][number];
const ROLES = ['owner', 'admin'] as const;
type Role = (typeof ROLES)[number];

interface RowProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}

function MemberRow({ member, isMe, onRole, onRemove }: RowProps) {
  const act = isMe ? words.leave : words.removeMember;
  return (
    <Table.Tr>
      <Table.Td>
        {member.email} {isMe && words.thatIsYou}
      </Table.Td>
      <Table.Td>
        <Select
          aria-label={`${words.role}: ${member.email}`}
          data={ROLES.map((role) => ({ value: role, label: words.roles[role] }))}
          value={ROLES.find((role) => role === member.role) ?? null}
          onChange={(role) => {
            if (role !== null && role !== member.role) onRole(role);
          }}
          allowDeselect={false}
          w={120}
        />
      </Table.Td>
      <Table.Td>{moment(member.created_at)}</Table.Td>
      <Table.Td>
        <Button variant="default" size="compact-sm" aria-label={`${act}: ${member.email}`} onClick={onRemove}>
          {act}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** The members, and what changes them. */
function useMembers(client: WorkflowClient, organizationId: string) {
  const queries = useQueryClient();
  const members = useQuery({
    queryKey: [organizationId, 'members'],
    queryFn: () => client.organizations.members(organizationId).page(),
  });
  const me = useQuery({ queryKey: ['me'], queryFn: () => client.me.get() });
  const path = (userId: string) => ({ organization_id: organizationId, user_id: userId });
  const changeRole = useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: Role }) =>
      client.request('PATCH', '/organizations/{organization_id}/members/{user_id}', {
        path: path(userId),
        body: { role },
      }),
    // Refused or not: the list tells how it stands.
    onSettled: () => members.refetch(),
  });
  const remove = useMutation({
    mutationFn: (userId: string) =>
      client.request('DELETE', '/organizations/{organization_id}/members/{user_id}', {
        path: path(userId),
      }),
    onSuccess: (_, userId) =>
      userId === me.data?.id ? queries.invalidateQueries({ queryKey: ['organizations'] }) : members.refetch(),
  });
  return { members, me, changeRole, remove };
}

interface TableProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function MemberTable({ client, organizationId }: TableProps) {
  const { members, me, changeRole, remove } = useMembers(client, organizationId);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const isLeaverMe = leaving !== null && leaving.user_id === me.data?.id;
  return (
    <>
      <Failure error={members.error ?? me.error ?? changeRole.error ?? remove.error} />
      {members.isPending && <Waiting />}
      {members.data !== undefined && (
        <DataTable heads={[words.email, words.role, words.since, null]}>
          {members.data.members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isMe={member.user_id === me.data?.id}
              onRole={(role) => changeRole.mutate({ userId: member.user_id, role })}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </DataTable>
      )}
      <ConfirmDialog
        question={
          leaving === null ? null : isLeaverMe ? words.leaveSure : words.removeMemberSure(leaving.email)
        }
        action={isLeaverMe ? words.leave : words.removeMember}
        isPending={remove.isPending}
        onClose={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving !== null) remove.mutate(leaving.user_id, { onSettled: () => setLeaving(null) });
        }}
      />
    </>
  );
}
