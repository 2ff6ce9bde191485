/** The number of open questions of the organization, for the navigation. */
import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';

/** A request in a minute: a free plan has 60. */
const LOOK_AGAIN_MS = 60_000;
const COUNTED = 100;

/** Returns the count as it is shown, `99+` for more; null while it is none, or not known. */
export function useOpenQuestions(): string | null {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const { data } = useQuery({
    queryKey: [organizationId, 'openQuestions'],
    queryFn: () => client.interrupts.list({ status: 'pending', limit: COUNTED }).page(),
    select: ({ interrupts }) => interrupts.length,
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (data === undefined || data === 0) return null;
  return data < COUNTED ? String(data) : `${COUNTED - 1}+`;
}
