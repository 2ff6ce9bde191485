/** Loads the run history page by page, and polls while it is shown. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { systemClock } from '../../../base/clock.ts';
import type { WorkflowClient } from '../../client/client.ts';
import { toRunQuery, type RunSearch } from './run-search.ts';

const PAGE = 50;
/** Polling intervals: a list with running runs changes when they end, any other only when a run starts. */
const REFRESH_MS = { idle: 10_000, running: 5_000 };

/** The start of a page after the first. */
interface PageStart {
  readonly cursor: string;
  readonly filters: ReturnType<typeof toRunQuery>;
}

interface PagesProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly search: RunSearch;
}

/** Reads the runs that match the filters. The more pages are loaded, the less often they are read again. */
export function useRunPages({ client, organizationId, search }: PagesProps) {
  return useInfiniteQuery({
    queryKey: [organizationId, 'runs', search],
    async queryFn({ pageParam }) {
      // A cursor is bound to its filters, so later pages keep the period that the first one began with.
      const filters = pageParam?.filters ?? toRunQuery(search, systemClock.now());
      const cursor = pageParam === null ? {} : { cursor: pageParam.cursor };
      const query = { ...filters, ...cursor, limit: PAGE, segments: 'newest' as const };
      return { ...(await client.request('GET', '/workflow-runs', { query })), filters };
    },
    initialPageParam: null as PageStart | null,
    getNextPageParam: ({ next_cursor: cursor, filters }) => (cursor === null ? null : { cursor, filters }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const isRunning = pages.some(({ runs }) => runs.some(({ status }) => status === 'running'));
      return REFRESH_MS[isRunning ? 'running' : 'idle'] * Math.max(1, pages.length);
    },
  });
}
