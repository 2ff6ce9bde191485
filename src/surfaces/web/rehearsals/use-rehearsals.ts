/** Rehearsals of a workflow: their list, one with its groups, and requesting one. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouteContext } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { indexElements } from '../../../language/graph/definition/diff.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { workflowQuery } from '../kit/workflow-query.ts';
import type { Rehearsal } from '../words-rehearsals.ts';

/** Between two looks at what is walked: most rehearsals take a few seconds. A guess, within the requests of a free plan. */
const LOOK_MS = 2_500;
const LIST_MS = 5_000;
/** Runs of a group on one page. */
const PAGE = 20;

const useApp = () => useRouteContext({ from: '__root__' }).app;

export const isUnderWay = (status: Rehearsal['status']): boolean =>
  status === 'pending' || status === 'running';

/** Reads the newest rehearsals of a workflow; again and again while one is open. */
export function useRehearsals(workflowId: string) {
  const { client, organizationId } = useApp();
  return useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'rehearsals'],
    queryFn: () => client.rehearsals.list(workflowId),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.rehearsals.some(({ status }) => isUnderWay(status)) === true ? LIST_MS : false,
  });
}

/** Reads a rehearsal with its groups; again and again until it is over. */
export function useRehearsal(rehearsalId: string) {
  const { client, organizationId } = useApp();
  return useQuery({
    queryKey: [organizationId, 'rehearsal', rehearsalId],
    queryFn: () => client.rehearsals.get(rehearsalId),
    refetchInterval: ({ state }) =>
      state.data === undefined || isUnderWay(state.data.status) ? LOOK_MS : false,
  });
}

/** Reads the runs of a group, page by page. */
export function useGroupRuns(rehearsalId: string, group: string) {
  const { client, organizationId } = useApp();
  return useInfiniteQuery({
    queryKey: [organizationId, 'rehearsal', rehearsalId, 'runs', group],
    queryFn: ({ pageParam: cursor }) =>
      client.request('GET', '/rehearsals/{rehearsal_id}/runs', {
        path: { rehearsal_id: rehearsalId },
        query: { group, limit: PAGE, ...(cursor === null ? {} : { cursor }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });
}

/** The runs of a rehearsal as the API names them. */
export type RunSelection = NonNullable<
  NonNullable<Parameters<WorkflowClient['rehearsals']['create']>[1]>['runs']
>;

/** Requests a rehearsal of the draft. @param runs null: the newest ones */
export function useRehearse(workflowId: string) {
  const { client, organizationId } = useApp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (runs: RunSelection | null) =>
      client.rehearsals.create(workflowId, { definition: 'draft', ...(runs === null ? {} : { runs }) }),
    // Refused, too: a colleague may have begun one.
    onSettled: () =>
      queries.invalidateQueries({ queryKey: [organizationId, 'workflow', workflowId, 'rehearsals'] }),
  });
}

/** Requests a rehearsal of the draft, and shows it at its address. */
export function useRehearseAndShow(workflowId: string) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useRehearse(workflowId);
  const begin = (runs: RunSelection | null): void =>
    mutate(runs, {
      onSuccess: ({ id: rehearsalId }) =>
        void navigate({
          to: '/workflows/$workflowId/rehearsals/$rehearsalId',
          params: { workflowId, rehearsalId },
        }),
    });
  return { begin, isPending, error };
}

/** Cancels a rehearsal; what it has found stays. */
export function useCancel(workflowId: string, rehearsalId: string) {
  const { client, organizationId } = useApp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.rehearsals.cancel(rehearsalId),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [organizationId, 'rehearsal', rehearsalId] }),
        queries.invalidateQueries({ queryKey: [organizationId, 'workflow', workflowId, 'rehearsals'] }),
      ]),
  });
}

export type NodeNames = (nodeId: string) => string;

/** Names nodes as the draft does; those that are gone have their id. */
export function useNodeNames(workflowId: string): NodeNames {
  const { client, organizationId } = useApp();
  const { data } = useQuery(workflowQuery({ client, organizationId, workflowId }));
  return useMemo(() => {
    const nodes = indexElements((data?.workflow_schema ?? {}) as JsonObject, 'nodes');
    return (nodeId) => readText(nodes.get(nodeId) ?? {}, 'name') || nodeId;
  }, [data]);
}
