/** The workflows that call one, by name: asked before it is deleted. */
import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Failure, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/');

export function WorkflowUsers({ workflowId }: { readonly workflowId: string }) {
  const { client, organizationId } = route.useRouteContext().place;
  const found = useQuery({
    queryKey: [organizationId, 'workflow-usage', workflowId],
    queryFn: () => client.workflows.usage(workflowId),
    // Another may have begun to call it since it was asked last.
    staleTime: 0,
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Failure error={found.error} />;
  const users = found.data.used_by;
  if (users.length === 0) return <Text c="dimmed">{words.calledByNone}</Text>;
  return (
    <>
      <Text>{words.calledBy}</Text>
      <List style={{ overflowWrap: 'anywhere' }}>
        {users.map(({ workflow_id: id, name, is_live: isLive }) => (
          <List.Item key={id}>{isLive ? name : words.inDraft(name)}</List.Item>
        ))}
      </List>
    </>
  );
}
