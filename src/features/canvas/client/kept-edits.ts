/** Reads `Canvas.kept` back from the browser's storage after a reload; its content is untrusted. */
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { BROADCASTS, type DurableOp } from '../room/operations.ts';
import type { SentOp } from './accepted-ops.ts';
import { readNumber, readText } from './payload.ts';

export interface KeptEdits {
  /** The first sequence number that this tab has not used. */
  readonly nextSeq: number;
  readonly ops: readonly SentOp[];
}

/** A place whose unseen value an own edit overwrote, and the author of that value. */
export interface ContendedPlace {
  readonly ptr: string;
  readonly byUserId: string;
}

/** Parses kept edits; undefined when `text` is null or invalid. */
export function readKeptEdits(text: string | null): KeptEdits | undefined {
  if (text === null) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isObject(kept)) return undefined;
    const nextSeq = ownValue(kept, 'nextSeq');
    const ops = ownValue(kept, 'ops');
    if (!Number.isSafeInteger(nextSeq) || !Array.isArray(ops)) return undefined;
    return { nextSeq: Number(nextSeq), ops: ops.flatMap(readSent) };
  } catch {
    return undefined;
  }
}

function readSent(entry: unknown): SentOp[] {
  if (!isObject(entry)) return [];
  const op = ownValue(entry, 'op');
  const opId = readText(entry, 'opId');
  const isOp = isObject(op) && Object.hasOwn(BROADCASTS, readText(op, 'type'));
  return isOp && opId !== '' ? [{ opId, op: op as unknown as DurableOp }] : [];
}

/** Reads the `contended` field of an acknowledgement; an empty list when it is missing. */
export function readContendedPlaces(ack: JsonObject): ContendedPlace[] {
  const places = ownValue(ack, 'contended');
  return (Array.isArray(places) ? places : []).filter(isObject).flatMap((place) => {
    const isRead = !Number.isNaN(readNumber(place, 'version'));
    return isRead ? [{ ptr: readText(place, 'ptr'), byUserId: readText(place, 'byUserId') }] : [];
  });
}

/** Reads the codes in the `skipped` field of an acknowledgement; those of guards of an undo are in its `UndoResult`. */
export function readSkippedCodes(ack: JsonObject, op: DurableOp): string[] {
  const isUndo = op.type === 'batch' && (op.reason === 'undo' || op.reason === 'redo');
  const skipped = ownValue(ack, 'skipped');
  return (Array.isArray(skipped) ? skipped : [])
    .filter(isObject)
    .map((part) => readText(part, 'code'))
    .filter((code) => !(isUndo && code === 'GUARD_FAILED'));
}
