/** The draft of one field, for the control that edits it. */
import { useEffect, useSyncExternalStore } from 'react';
import type { Json } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import { readNodeId } from './entity.ts';
import type { AtomicExtras } from './drafts.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { formatDraftKey, type Draft, type DraftField } from './kept-drafts.ts';
import type { ReplacedValue } from './saved-values.ts';

export interface FieldDraft {
  readonly field: DraftField;
  /** The typed value until it is saved; undefined while the field shows the document. */
  readonly draft: Draft | undefined;
  readonly replaced: ReplacedValue | undefined;
  /** The value that the control shows. */
  readonly typed: Json;
  /** Reads the current value, which may be newer than the last render. */
  readonly read: () => Json;
  readonly change: (typed: Json) => void;
  /** Sends the draft: on blur, and where a click is the whole edit. */
  readonly leave: () => void;
  /** Sends the draft with parts that belong to its change; all of it is refused where a part is. */
  readonly send: (extras: AtomicExtras) => void;
  /** Drops the draft, for an edit that writes its value together with other values. */
  readonly withdraw: () => void;
}

/** The format in which a value is being typed: one control must not show what another has not saved. Undefined without a draft. */
export function useTypedFormat({ entity, ptr }: Pick<DraftField, 'entity' | 'ptr'>): FormatName | undefined {
  const { drafts } = useEditing().connection;
  return useSyncExternalStore(drafts.subscribe, () => drafts.get(formatDraftKey({ entity, ptr }))?.format);
}

/** Fields that are no text take the node's lock: of two whole values one would be lost. */
const needsLock = ({ format }: DraftField): boolean =>
  FORMATS[format].merging !== 'text' && format !== 'name';

export function useDraft(field: DraftField): FieldDraft {
  const { connection } = useEditing();
  const { drafts } = connection;
  const { entity, ptr } = field;
  const nodeId = readNodeId(entity);
  const key = formatDraftKey(field);
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
  const typed = useSyncExternalStore(drafts.subscribe, () => drafts.shown(field));
  const replaced = useSyncExternalStore(drafts.subscribe, () => drafts.replacedAt(key));
  useEffect(
    () => () => {
      drafts.leave(formatDraftKey({ entity, ptr }));
      if (nodeId !== null) connection.locks.letGo(nodeId);
    },
    [connection, drafts, entity, nodeId, ptr],
  );
  return {
    field,
    draft,
    replaced,
    typed,
    read: () => drafts.shown(field),
    change(typed) {
      if (nodeId !== null && needsLock(field)) connection.locks.hold(nodeId);
      drafts.change(field, typed);
    },
    withdraw: () => drafts.withdraw(key),
    leave() {
      drafts.leave(key);
      if (nodeId !== null) connection.locks.letGo(nodeId);
    },
    send(extras) {
      drafts.push(key, extras);
      if (nodeId !== null) connection.locks.letGo(nodeId);
    },
  };
}
