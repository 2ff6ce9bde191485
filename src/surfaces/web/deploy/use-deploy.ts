/** Deploys the draft of a workflow. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';

export interface SeenDraft {
  readonly note: string;
  /** Of the sheet that was shown: another draft is refused (409 `draft_changed`), and its difference is shown then. */
  readonly definitionHash: string;
}

export function useDeploy(workflowId: string) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const queries = useQueryClient();
  const refresh = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: [organizationId, 'workflow', workflowId] });
  return useMutation({
    mutationFn: ({ note, definitionHash: hash }: SeenDraft) =>
      client.workflows.deploy(workflowId, {
        ...(note === '' ? {} : { deployment_note: note }),
        expected_definition_hash: hash,
      }),
    onSuccess: refresh,
    // The draft, or a rule, is another one by now; the refusal is told before they have been read.
    onError: () => void refresh(),
  });
}
