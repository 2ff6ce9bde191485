/** The unknown outcomes of failed runs, above the open questions: nothing when there are none. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure } from '../kit/page.tsx';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { OutcomeCard } from './outcome-card.tsx';

const PAGE = 20;

interface ListProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function OutcomeList({ client, organizationId }: ListProps) {
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'unknown-outcomes'],
    queryFn: ({ pageParam: cursor }) =>
      client.unknownOutcomes.list({ limit: PAGE, ...(cursor === null ? {} : { cursor }) }).page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const found = list.data?.pages.flatMap(({ outcomes }) => outcomes) ?? [];
  const { rows, hold, release } = useHeldRows(found, ({ step_id: id }) => id);
  return (
    <>
      <Failure error={list.error} />
      {rows.map(({ row }) => (
        <OutcomeCard
          key={row.step_id}
          client={client}
          outcome={row}
          onHold={(isHeld) => (isHeld ? hold : release)(row)}
          onSettled={() => void list.refetch()}
        />
      ))}
      {rows.length > 0 && <LoadMore list={list} />}
    </>
  );
}
