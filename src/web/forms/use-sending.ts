/** Sends a secret without storing it: the caches of queries and mutations keep their input. */
import { useState } from 'react';

interface Sending {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Failures become `error`. */
  readonly send: (work: () => Promise<void>) => void;
}

export function useSending(): Sending {
  const [state, setState] = useState<Omit<Sending, 'send'>>({ isPending: false, error: null });
  return {
    ...state,
    send: (work) => {
      setState({ isPending: true, error: null });
      work().then(
        () => setState({ isPending: false, error: null }),
        (error: unknown) =>
          setState({ isPending: false, error: error instanceof Error ? error : new Error(String(error)) }),
      );
    },
  };
}
