/** The choice of the workflow that is started when a run of this one fails. */
import { Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import { Failure } from '../kit/page.tsx';
import { webhookWords } from '../words-webhooks.ts';

interface ErrorWorkflowProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly workflowId: string;
}

export function ErrorWorkflow({ client, organizationId, workflowId }: ErrorWorkflowProps) {
  const path = { workflow_id: workflowId };
  const chosen = useQuery({
    queryKey: [organizationId, 'error workflow', workflowId],
    queryFn: () => client.request('GET', '/workflows/{workflow_id}/error-workflow', { path }),
  });
  const workflows = useQuery({
    queryKey: [organizationId, 'workflows to choose'],
    queryFn: () => client.request('GET', '/workflows'),
  });
  const choose = useMutation({
    mutationFn: (errorWorkflowId: string | null) =>
      client.request('PUT', '/workflows/{workflow_id}/error-workflow', {
        path,
        body: { error_workflow_id: errorWorkflowId },
      }),
    onSettled: () => chosen.refetch(),
  });
  const others = (workflows.data?.workflows ?? []).filter(({ id }) => id !== workflowId);
  return (
    <>
      <Failure error={chosen.error ?? workflows.error ?? choose.error} />
      <Select
        maw={480}
        label={webhookWords.errorWorkflow}
        description={webhookWords.errorWorkflowWhy}
        placeholder={webhookWords.noErrorWorkflow}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.data?.error_workflow_id ?? null}
        disabled={!chosen.isSuccess || choose.isPending}
        clearable
        onChange={(id) => choose.mutate(id)}
      />
    </>
  );
}
