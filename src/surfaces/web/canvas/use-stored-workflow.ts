/** The workflow as it is stored: its name, and which of its versions is live. */
import { useQuery } from '@tanstack/react-query';
import { workflowQuery } from '../kit/workflow-query.ts';
import { useEditing } from './context.ts';

/** The room tells of a deployment at once; but a notice may be lost. */
const REFETCH_MS = 300_000;

export function useStoredWorkflow() {
  const { connection, client, organizationId } = useEditing();
  return useQuery({
    ...workflowQuery({ client, organizationId, workflowId: connection.workflowId }),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  });
}
