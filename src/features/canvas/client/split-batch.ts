/** Cuts a batch into batches that the room accepts: it limits their parts and their size. */
import { measurePayload } from '../room/inspect-payload.ts';
import { MAX_BATCH_OPS, MAX_BATCH_SIZE, type BatchOp, type SubOp } from '../room/operations.ts';

/** Room for the other fields of the event: ids of workflow and operation, version, reason. */
const ENVELOPE_SIZE = 4 * 1024;

/**
 * Splits a batch, in order. An atomic one stays whole, because its parts apply together or not at all; and so does a part
 * that is too large alone, which the room rejects.
 */
export function splitBatch(batch: BatchOp): BatchOp[] {
  if (batch.mode === 'atomic') return [batch];
  const batches: BatchOp[] = [];
  let ops: SubOp[] = [];
  let size = ENVELOPE_SIZE;
  for (const op of batch.ops) {
    const opSize = measurePayload(op) + 1;
    if (ops.length > 0 && (ops.length === MAX_BATCH_OPS || size + opSize > MAX_BATCH_SIZE)) {
      batches.push({ ...batch, ops });
      ops = [];
      size = ENVELOPE_SIZE;
    }
    ops.push(op);
    size += opSize;
  }
  return [...batches, { ...batch, ops }];
}
