/** Loads the run history page by page, and polls while it is shown. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { systemClock } from '../../../base/clock.ts';
import type { WorkflowClient } from '../../client/client.ts';
import { findNextPage, type PageStart } from '../../../web/runs/page-start.ts';
import { toRunQuery, type RunSearch } from './run-search.ts';

const PAGE = 50;
/** Polling intervals: a list with running runs changes when they end, any other only when a run starts. */
const REFRESH_MS = { idle: 10_000, running: 5_000 };

interface PagesProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly search: RunSearch;
}

/** Reads the runs that match the filters. The more pages are loaded, the less often they are read again. */
export function useRunPages({ client, organizationId, search }: PagesProps) {
  return useInfiniteQuery({
    queryKey: [organizationId, 'runs', search],
    queryFn: ({ pageParam }) =>
      client.request('GET', '/workflow-runs', {
        query: {
          ...toRunQuery(search, systemClock.now()),
          ...pageParam,
          limit: PAGE,
          segments: 'newest',
        },
      }),
    initialPageParam: null as PageStart | null,
    getNextPageParam: (last, pages) =>
      last.has_more ? findNextPage(pages.flatMap(({ runs }) => runs)) : null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const isRunning = pages.some(({ runs }) => runs.some(({ status }) => status === 'running'));
      return REFRESH_MS[isRunning ? 'running' : 'idle'] * Math.max(1, pages.length);
    },
  });
}
