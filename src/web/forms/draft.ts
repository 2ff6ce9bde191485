/**
 * A field's draft: from the focus on the field shows what is typed, not the document; the document hears of it 300 ms
 * after the last key, as one step of undo. The first change takes the node's lock.
 */
import { useEffect, useRef, useState } from 'react';
import type { DurableOp } from '../../canvas/room/operations.ts';
import type { Json } from '../../graph/value.ts';
import { useEditing } from '../canvas/context.ts';

const QUIET_MS = 300;

export interface Draft<Value> {
  readonly value: Value;
  change(value: Value): void;
  /** Tells the document now: on blur, and where a click is the whole edit. */
  commit(): void;
}

export interface DraftOf<Value> {
  readonly nodeId: string;
  readonly ptr: string;
  readonly shown: Value;
  /** The operation that writes a value; null while it cannot be written, as JSON that is half typed. */
  readonly write: (value: Value) => DurableOp | null;
}

export function useDraft<Value extends Json>({ nodeId, ptr, shown, write }: DraftOf<Value>): Draft<Value> {
  const { room } = useEditing();
  const [draft, setDraft] = useState<{ readonly value: Value } | null>(null);
  const timer = useRef(0);
  const focus = useRef(0);
  const latest = useRef<() => void>(() => undefined);
  const tell = (value: Value): void => {
    window.clearTimeout(timer.current);
    timer.current = 0;
    const op = write(value);
    if (op !== null) room.edit(op, { merge: `${nodeId}${ptr} ${focus.current}`, label: `edit ${nodeId}` });
  };
  latest.current = () => {
    if (timer.current !== 0 && draft !== null) tell(draft.value);
  };
  useEffect(() => {
    const flush = (): void => latest.current();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
  return {
    value: draft === null ? shown : draft.value,
    change(value) {
      if (draft === null) focus.current = performance.now();
      room.hold(nodeId);
      setDraft({ value });
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => tell(value), QUIET_MS);
    },
    commit() {
      latest.current();
      setDraft(null);
      room.letGo(nodeId);
    },
  };
}
