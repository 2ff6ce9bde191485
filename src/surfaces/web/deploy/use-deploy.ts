/** Deploys the draft of a workflow. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';

export function useDeploy(workflowId: string) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (note: string) =>
      client.workflows.deploy(workflowId, note === '' ? {} : { deployment_note: note }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [organizationId, 'workflow', workflowId] }),
  });
}
