/** Reads from a `progress` event which child runs of a sub-workflow node wait for an answer. */
import type { RunEvent } from './event-stream.ts';

interface WaitingRun {
  readonly run_id: string;
}

/** @returns the waiting child runs, empty once they continue; null when the event is about something else */
export function readChildWaits({
  data,
}: Pick<Extract<RunEvent, { type: 'progress' }>, 'data'>): readonly WaitingRun[] | null {
  const { waits_for: runs } = (data ?? {}) as { waits_for?: readonly WaitingRun[] };
  return Array.isArray(runs) ? runs : null;
}
