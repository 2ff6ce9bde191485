/** Something that is sent on a click and kept nowhere: the caches of queries and mutations keep what they were given. */
import { useState } from 'react';

export interface Sending {
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
