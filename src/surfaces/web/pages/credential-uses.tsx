/** Counts the workflows and knowledge bases that use a credential. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Failure, Waiting } from '../kit/page.tsx';
import { credentialWords } from '../words-credentials.ts';

const route = getRouteApi('/credentials');

export function Uses({ credentialId }: { readonly credentialId: string }) {
  const { client, organizationId } = route.useRouteContext().app;
  const found = useQuery({
    queryKey: [organizationId, 'credentials', credentialId],
    queryFn: () => client.credentials.get(credentialId),
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Failure error={found.error} />;
  const { workflows, knowledge_bases: bases } = found.data.in_use_by;
  return <Text c="dimmed">{credentialWords.usedBy(workflows, bases)}</Text>;
}
