/** The name of a workflow, for the titles of its pages. */
import { useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';

interface WorkflowRef {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly workflowId: string;
}

/** @returns undefined until it is known */
export function useWorkflowName({ client, organizationId, workflowId }: WorkflowRef): string | undefined {
  return useQuery({
    queryKey: [organizationId, 'workflow-name', workflowId],
    queryFn: async () => (await client.workflows.get(workflowId)).name,
    // Its reply has the whole definition.
    staleTime: Infinity,
  }).data;
}
