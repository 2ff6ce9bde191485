/** The page for a user who is no member of the organization in the address, or of any. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import { LineForm } from '../kit/line-form.tsx';
import { Failure } from '../kit/page.tsx';
import type { UserSession } from '../session/session.ts';
import { words } from '../words.ts';
import { openOrganization } from './address.ts';
import type { Membership } from './memberships.ts';

interface NotMemberProps {
  readonly session: UserSession;
  /** An organization to go to instead. */
  readonly other: Membership;
}

export const NotMember = ({ session, other }: NotMemberProps) => (
  <Stack p="xl" maw={560} mx="auto">
    <Title order={1} size="h2">
      {words.notMember.title}
    </Title>
    <Text>{words.notMember.text}</Text>
    <Group>
      <Button onClick={() => openOrganization(other.organization_id)}>
        {words.notMember.goTo(other.name)}
      </Button>
      <Button variant="default" onClick={() => void session.switchAccount()}>
        {words.notMember.switch}
      </Button>
    </Group>
  </Stack>
);

interface FirstOrganizationProps {
  readonly client: WorkflowClient;
  readonly onCreated: (organizationId: string) => Promise<void>;
}

export function FirstOrganization({ client, onCreated }: FirstOrganizationProps) {
  const create = useMutation({
    mutationFn: (name: string) => client.organizations.create({ name }),
    onSuccess: ({ id }) => onCreated(id),
  });
  return (
    <Stack p="xl" maw={560} mx="auto">
      <Title order={1} size="h2">
        {words.noOrganization.title}
      </Title>
      <Text>{words.noOrganization.text}</Text>
      <LineForm
        label={words.organizationName}
        action={words.createOrganization}
        maxLength={255}
        isPending={create.isPending}
        onSend={(name) => create.mutate(name)}
      />
      <Failure error={create.error} />
    </Stack>
  );
}
