/** The workflow as it is stored: its name, and which of its versions is live. */
import { useQuery } from '@tanstack/react-query';
import { useEditing } from './context.ts';

/** The room tells of a deployment at once; but a notice may be lost. */
const REFETCH_MS = 300_000;

/** Reads it with the key of the page of versions, which refreshes it with a deployment. */
export function useStoredWorkflow() {
  const { connection, client, organizationId } = useEditing();
  const { workflowId } = connection;
  return useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'draft'],
    queryFn: () => client.workflows.get(workflowId),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  });
}
