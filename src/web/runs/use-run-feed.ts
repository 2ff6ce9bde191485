/** A run's feed as a hook: opened when it is wanted, closed with the component. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { RunFeed, type FeedState } from './run-feed.ts';

interface Wanted {
  readonly client: WorkflowClient;
  readonly runId: string;
  readonly isWanted: boolean;
}

const never = (): (() => void) => () => undefined;

/** @returns null until the feed is wanted */
export function useRunFeed({ client, runId, isWanted }: Wanted): FeedState | null {
  const [feed, setFeed] = useState<RunFeed | null>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const opened = new RunFeed({ client, nextFrame: (act) => void requestAnimationFrame(act) }, runId);
    setFeed(opened);
    return () => {
      opened.dispose();
      setFeed(null);
    };
  }, [client, runId, isWanted]);
  return useSyncExternalStore(feed?.subscribe ?? never, () => feed?.state ?? null);
}
