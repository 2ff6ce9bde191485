/** Loads a run with all its segments, and polls while the run is open because somebody else may answer it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Run } from '../../client/openapi.ts';
import { isOpen, joinSegments, readSegments } from './joined-run.ts';

/** Fallback for a stream that has failed; otherwise `use-stream-refresh.ts` refreshes immediately. */
const REFRESH_MS = 10_000;
/** Steps that the API reads in a second: polling slows down by the time that a large record takes. */
const STEPS_PER_SECOND = 1_000;

interface RunKey {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly runPk: string;
}

export function useJoinedRun({ client, organizationId, runPk }: RunKey) {
  const queries = useQueryClient();
  const queryKey = [organizationId, 'run', runPk];
  const record = useQuery({
    queryKey,
    queryFn: () => readSegments(client, runPk, queries.getQueryData<readonly Run[]>(queryKey) ?? []),
    refetchInterval: ({ state: { data } }) => {
      const newest = data?.at(-1);
      if (newest === undefined) return REFRESH_MS;
      return (
        isOpen(newest) && REFRESH_MS + ((newest.outline ?? newest.steps).length / STEPS_PER_SECOND) * 1_000
      );
    },
  });
  const run = useMemo(() => (record.data === undefined ? null : joinSegments(record.data)), [record.data]);
  return { run, error: record.error, refetch: record.refetch };
}
