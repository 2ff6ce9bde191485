/** One try to save: what it would store, on top of what. Prepared in one turn, so it is a consistent cut of the room. */
import { definitionDiff, type PatchOperation } from '../../graph/diff.ts';
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { readDocument, writeDocument, type CanvasDocument } from './document.ts';
import { stateHash } from './entity-facts.ts';
import { mirrorsOf } from './mirrors.ts';
import type { ExternalState, RoomKey, SaveRequest } from './ports.ts';
import { replay, type Dropped } from './replay.ts';
import type { UnsavedOp } from './unsaved.ts';

/** What the row is known to hold. */
export interface SavedBase {
  readonly editVersion: number;
  readonly document: JsonObject;
}

export interface SaveAttempt {
  readonly historyId: string;
  readonly document: CanvasDocument;
  readonly savedThrough: number;
  readonly baseEditVersion: number;
  readonly patches: readonly PatchOperation[];
  /** Authors of what is saved, but for the last one. */
  readonly contributors: readonly string[];
  readonly userId: string;
  /** Set when it is made on top of somebody else's save that the room has not taken over yet. */
  readonly external: ExternalState | null;
  readonly dropped: readonly Dropped[];
}

export interface Cut {
  readonly document: CanvasDocument;
  readonly version: number;
  readonly base: SavedBase;
  readonly external: ExternalState | null;
  readonly ops: readonly UnsavedOp[];
  readonly lastAuthor: string;
}

/** Prepares a save of what was accepted so far; without operations nothing is to be stored. */
export function prepareAttempt(cut: Cut, historyId: string): SaveAttempt {
  const { external, ops } = cut;
  const base: SavedBase = external ?? cut.base;
  const merged = external === null ? null : replay(readDocument(external.document), ops);
  const document = merged?.document ?? cut.document;
  const userId = cut.lastAuthor;
  return {
    historyId,
    document,
    savedThrough: cut.version,
    baseEditVersion: base.editVersion,
    patches: ops.length === 0 ? [] : definitionDiff(base.document, writeDocument(document)),
    userId,
    contributors: [...new Set(ops.map((op) => op.userId))].filter((author) => author !== userId),
    external,
    dropped: merged?.dropped ?? [],
  };
}

/** The attempt as the store takes it. */
export function requestOf(key: RoomKey, epoch: bigint, attempt: SaveAttempt): SaveRequest {
  const schema = writeDocument(attempt.document);
  const metadata = ownValue(schema, 'metadata');
  const { historyId, savedThrough, baseEditVersion, patches, userId, contributors } = attempt;
  return {
    ...key,
    epoch,
    baseEditVersion,
    documentJson: JSON.stringify(schema),
    patches,
    mirrors: isObject(metadata) ? mirrorsOf(metadata) : {},
    userId,
    contributors,
    historyId,
    savedThrough,
    stateHash: stateHash(attempt.document),
  };
}
