/** The query of one workflow as it is stored, which all pages share: its draft, its name, and which version is live. */
import type { WorkflowClient } from '../../client/client.ts';

export interface WorkflowRef {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly workflowId: string;
}

export const workflowQuery = ({ client, organizationId, workflowId }: WorkflowRef) => ({
  queryKey: [organizationId, 'workflow', workflowId, 'draft'],
  queryFn: () => client.workflows.get(workflowId),
});
