/** All workflows of the organization by name, for filters and pickers. */
import { useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import { readAll } from './read-all.ts';

interface WorkflowName {
  readonly id: string;
  readonly name: string;
}

const byName = (a: WorkflowName, b: WorkflowName): number => a.name.localeCompare(b.name);

/** Reads the names; its key is that of workflows, so that a change of these reads them again. */
export const useWorkflowNames = (client: WorkflowClient, organizationId: string) =>
  useQuery({
    queryKey: [organizationId, 'workflows', 'names'],
    queryFn: async (): Promise<WorkflowName[]> => (await readAll(client.workflows.list())).toSorted(byName),
  });
