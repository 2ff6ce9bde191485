/** The end of a run whose execution was cancelled in Temporal: by its caller, its schedule or an operator. */
import type { Db } from '../../db/client.ts';
import { cancelTree } from '../ledger/cancel.ts';
import { currentSegment } from '../ledger/segments.ts';
import type { RunRef } from '../engine.ts';
import type { RunEnd, RunFailure } from './protocol.ts';

interface StoredFailure {
  readonly code: string;
  readonly message: string;
  readonly node_id: string | null;
}

/**
 * Cancels the run, unless it has ended: its last advance may have been committed while the cancellation was on its way.
 * @returns how it has ended
 */
export async function closeCancelled(db: Db, run: RunRef, reason: string): Promise<RunEnd> {
  const cancelled: RunEnd = { status: 'cancelled', error: null };
  return db.transaction(async (tx) => {
    const segment = await currentSegment(tx, run, true);
    if (segment === null) return cancelled;
    if (segment.status === 'completed') return { status: 'completed', error: null };
    if (segment.status === 'failed') {
      const [row] = await tx.query<{ error: StoredFailure | null }>('SELECT error FROM runs WHERE id = $1', [
        segment.runPk,
      ]);
      return { status: 'failed', error: failureOf(row?.error ?? null) };
    }
    await cancelTree(tx, segment, reason);
    return cancelled;
  });
}

function failureOf(stored: StoredFailure | null): RunFailure | null {
  return stored === null ? null : { code: stored.code, message: stored.message, nodeId: stored.node_id };
}
