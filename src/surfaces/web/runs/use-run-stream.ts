/** A run's stream as a hook: opened when it is wanted, closed with the component. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { RunStream, type StreamState } from './run-stream.ts';

interface RunStreamOptions {
  readonly client: WorkflowClient;
  readonly runId: string;
  readonly isWanted: boolean;
}

const never = (): (() => void) => () => undefined;

/** @returns null until the stream is wanted */
export function useRunStream({ client, runId, isWanted }: RunStreamOptions): StreamState | null {
  const [stream, setStream] = useState<RunStream | null>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const opened = new RunStream({ client, nextFrame: (act) => void requestAnimationFrame(act) }, runId);
    setStream(opened);
    return () => {
      opened.dispose();
      setStream(null);
    };
  }, [client, runId, isWanted]);
  return useSyncExternalStore(stream?.subscribe ?? never, () => stream?.state ?? null);
}
