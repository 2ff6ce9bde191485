/** The sheets of versions and drafts, with the names of all that stands in them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { Sheet } from '../../client/compare-sheets.ts';
import type { SavedDraft } from '../../client/openapi.ts';
import { hasCode } from '../kit/has-code.ts';
import { readAll } from '../kit/read-all.ts';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';

const useApp = () => useRouteContext({ from: '__root__' }).app;

/** Reads the sheet of a deployment; null when its definition is no longer valid. Sub-workflows may change it at any time. */
export function useDeploymentSheet(workflowId: string, deploymentId: string | null) {
  const { client, organizationId } = useApp();
  return useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'sheet', deploymentId],
    queryFn: async (): Promise<Sheet | null> => {
      try {
        return await client.workflows.getSheet({ workflowId, deploymentId: deploymentId ?? '' });
      } catch (error) {
        if (hasCode(error, 'workflow_invalid')) return null;
        throw error;
      }
    },
    enabled: deploymentId !== null,
    staleTime: 0,
  });
}

/** Reads the sheet of a definition that is not deployed. */
export function useDraftSheet(workflowId: string, definition: JsonObject) {
  const { client, organizationId } = useApp();
  const text = useMemo(() => JSON.stringify(definition), [definition]);
  return useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'draft-sheet', text],
    queryFn: () =>
      client.workflows.getDraftSheet(workflowId, { definition: definition as unknown as SavedDraft }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    // A definition with errors has none, however often it is asked for.
    retry: (failures, error) => failures < 2 && !hasCode(error, 'workflow_invalid'),
  });
}

/** Reads the names of all that a sheet has by its id. */
export function useNames(): ReadonlyMap<string, string> {
  const { client, organizationId } = useApp();
  const credentials = useQuery({
    queryKey: [organizationId, 'credentials'],
    queryFn: () => client.credentials.list().page(),
  });
  const bases = useQuery({
    queryKey: [organizationId, 'knowledge-bases', 'all'],
    queryFn: () => readAll(client.knowledgeBases.list({ limit: 100 })),
  });
  const workflows = useWorkflowNames(client, organizationId);
  return useMemo(
    () =>
      new Map([
        ...(credentials.data?.credentials ?? []).map(({ credential_id: id, name }) => [id, name] as const),
        ...(bases.data ?? []).map(({ id, name }) => [id, name] as const),
        ...(workflows.data ?? []).map(({ id, name }) => [id, name] as const),
      ]),
    [credentials.data, bases.data, workflows.data],
  );
}
