/** The draft of a workflow, its deployments, and what may be done with them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useDeploy } from '../deploy/use-deploy.ts';
import { readAll } from '../kit/read-all.ts';
import { workflowQuery } from '../kit/workflow-query.ts';

const DRAFT_EVERY_MS = 10_000;

export function useVersions(workflowId: string) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const queries = useQueryClient();
  const key = [organizationId, 'workflow', workflowId];
  const onSuccess = (): Promise<void> => queries.invalidateQueries({ queryKey: key });
  const draft = useQuery({
    ...workflowQuery({ client, organizationId, workflowId }),
    // It was edited a moment ago, on the canvas, and colleagues edit it while the page is open.
    staleTime: 0,
    refetchInterval: DRAFT_EVERY_MS,
  });
  const list = useQuery({
    queryKey: [...key, 'deployments'],
    queryFn: () => readAll(client.workflows.deployments(workflowId, { limit: 100 })),
  });
  const deploy = useDeploy(workflowId);
  const activate = useMutation({
    mutationFn: (deploymentId: string) => client.workflows.activate({ workflowId, deploymentId }),
    onSuccess,
  });
  return { draft, list, deploy, activate };
}
