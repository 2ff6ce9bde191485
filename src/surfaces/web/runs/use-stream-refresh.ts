/** Refreshes the record of a run when its stream reports a change, so that an idle run costs no requests. */
import { useEffect, useState } from 'react';
import { PacedRefresh } from './paced-refresh.ts';
import type { StreamState } from './run-stream.ts';

export type Refetch = (options: { readonly cancelRefetch: boolean }) => unknown;

/** @param refetch must stay the same function */
export function useStreamRefresh(stream: StreamState | null, refetch: Refetch): void {
  const [refresh, setRefresh] = useState<PacedRefresh | null>(null);
  useEffect(() => {
    const paced = new PacedRefresh((isLast) => void refetch({ cancelRefetch: isLast }));
    setRefresh(paced);
    return () => paced.dispose();
  }, [refetch]);
  const changes = stream?.changes ?? 0;
  const hasEnded = stream?.end === 'over';
  useEffect(() => {
    if (hasEnded) refresh?.finish();
    else if (changes > 0) refresh?.request();
  }, [refresh, changes, hasEnded]);
}
