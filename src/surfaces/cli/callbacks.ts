/** The addresses of callbacks, for whoever has to call one by hand because the other service has lost it. */
import type { RunRecord } from '../client/client.ts';

/** Describes the callbacks that a run waits for, each with its address. */
export const describeCallbacks = ({ interrupts }: Pick<RunRecord, 'interrupts'>): string[] =>
  interrupts.flatMap(({ callback_url: url, title, node_id: nodeId }) =>
    // A service of an earlier release has no such field.
    typeof url === 'string'
      ? [`Waiting for a request to the callback URL of ${title === '' ? nodeId : title}: ${url}`]
      : [],
  );

/** Describes the calls that came after the answer or the timeout of a callback, which were refused. */
export const describeLateCalls = ({ interrupts }: Pick<RunRecord, 'interrupts'>): string[] =>
  interrupts.flatMap(({ late_call_count: count, last_late_call_at: lastAt, title, node_id: nodeId }) =>
    // A service of an earlier release has no such field.
    count > 0
      ? [
          `Late requests to the callback URL of ${title === '' ? nodeId : title}: ${count}, the last at ${lastAt}`,
        ]
      : [],
  );
