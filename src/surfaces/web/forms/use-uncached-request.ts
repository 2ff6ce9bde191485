/** Replaces `useMutation` for requests with secrets: TanStack Query keeps the variables of a mutation in its cache. */
import { useState } from 'react';

interface UncachedRequest {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Runs the request; a failure is stored in `error`. */
  readonly send: (request: () => Promise<void>) => void;
}

export function useUncachedRequest(): UncachedRequest {
  const [state, setState] = useState<Omit<UncachedRequest, 'send'>>({ isPending: false, error: null });
  return {
    ...state,
    send: (request) => {
      setState({ isPending: true, error: null });
      request().then(
        () => setState({ isPending: false, error: null }),
        (error: unknown) =>
          setState({ isPending: false, error: error instanceof Error ? error : new Error(String(error)) }),
      );
    },
  };
}
