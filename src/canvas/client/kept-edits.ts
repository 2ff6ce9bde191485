/** Edits that outlive the page: what `Canvas.kept` gives, read back from a storage that anybody may have written. */
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { BROADCASTS, type DurableOp } from '../room/operations.ts';
import type { SentOp } from './outbox.ts';
import { numberAt, textAt } from './payload.ts';

export interface KeptEdits {
  /** The first sequence number that this tab has not used. */
  readonly nextSeq: number;
  readonly ops: readonly SentOp[];
}

/** A place that an own edit overwrote unseen: `ptr` in the document, and its author. */
export interface ContendedPlace {
  readonly ptr: string;
  readonly byUserId: string;
}

/** @returns what was kept; undefined when `text` is no such thing */
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
  const opId = textAt(entry, 'opId');
  const isOp = isObject(op) && Object.hasOwn(BROADCASTS, textAt(op, 'type'));
  return isOp && opId !== '' ? [{ opId, op: op as unknown as DurableOp }] : [];
}

/** The `contended` of an acknowledgement; nothing for one without. */
export function contendedPlaces(ack: JsonObject): ContendedPlace[] {
  const places = ownValue(ack, 'contended');
  return (Array.isArray(places) ? places : []).filter(isObject).flatMap((place) => {
    const isRead = !Number.isNaN(numberAt(place, 'version'));
    return isRead ? [{ ptr: textAt(place, 'ptr'), byUserId: textAt(place, 'byUserId') }] : [];
  });
}
