/** What a `progress` frame tells of a sub-workflow's node: which runs below it wait for an answer. */
import type { RunEvent } from './event-stream.ts';

/** A run below a node that waits for an answer. */
interface WaitingRun {
  readonly run_id: string;
}

/** Reads the runs that a node waits for, none when they have gone on; null: the frame tells of something else. */
export function readChildWaits({
  data,
}: Pick<Extract<RunEvent, { type: 'progress' }>, 'data'>): readonly WaitingRun[] | null {
  const { waits_for: runs } = (data ?? {}) as { waits_for?: readonly WaitingRun[] };
  return Array.isArray(runs) ? runs : null;
}
