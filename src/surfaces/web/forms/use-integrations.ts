/** The catalog of integrations, read once for all that show it. */
import { useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';

interface Place {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export const useIntegrations = ({ client, organizationId }: Place) =>
  useQuery({
    queryKey: [organizationId, 'integrations'],
    queryFn: () => client.request('GET', '/integrations'),
  });
