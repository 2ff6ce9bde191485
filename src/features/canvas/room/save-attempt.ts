/** One save attempt: the document to store and its base, of a consistent cut of the room. */
import { diffDefinitions } from '../../../language/graph/definition/diff.ts';
import type { PatchOperation } from '../../../language/graph/definition/patch.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { readDocument, writeDocument, type CanvasDocument } from './document.ts';
import { stateHash } from './document-measures.ts';
import { toMirroredColumns } from './mirrored-columns.ts';
import type { ExternalState, RoomKey, RoomPorts, SaveRequest } from './ports.ts';
import type { DroppedOp } from './replay.ts';
import { replayInSlices } from './sliced-replay.ts';
import type { UnsavedOp } from './unsaved-ops.ts';

/** The last stored state that the room knows. */
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
  /** Authors of the saved operations, without `userId`. */
  readonly contributors: readonly string[];
  readonly userId: string;
  /** The external save that this attempt builds on and the room has not adopted yet. */
  readonly external: ExternalState | null;
  readonly dropped: readonly DroppedOp[];
}

interface SaveInput {
  readonly document: CanvasDocument;
  readonly version: number;
  readonly base: SavedBase;
  readonly external: ExternalState | null;
  readonly ops: readonly UnsavedOp[];
  readonly lastAuthor: string;
}

/** Prepares a save of the operations of a cut, which is immutable; `patches` is empty when there are none. */
export async function prepareAttempt(
  ports: Pick<RoomPorts, 'takeTurn'>,
  cut: SaveInput,
  historyId: string,
): Promise<SaveAttempt> {
  const { external, ops } = cut;
  const base: SavedBase = external ?? cut.base;
  const merged =
    external === null
      ? null
      : await replayInSlices(
          ports,
          { base: readDocument(external.document), list: () => ops },
          (whole) => whole,
        );
  const document = merged?.document ?? cut.document;
  const userId = cut.lastAuthor;
  return {
    historyId,
    document,
    savedThrough: cut.version,
    baseEditVersion: base.editVersion,
    patches: ops.length === 0 ? [] : diffDefinitions(base.document, writeDocument(document)),
    userId,
    contributors: [...new Set(ops.map((op) => op.userId))].filter((author) => author !== userId),
    external,
    dropped: merged?.dropped ?? [],
  };
}

/** Builds the store's request of an attempt. */
export function toSaveRequest(key: RoomKey, epoch: bigint, attempt: SaveAttempt): SaveRequest {
  const schema = writeDocument(attempt.document);
  const metadata = ownValue(schema, 'metadata');
  const { historyId, savedThrough, baseEditVersion, patches, userId, contributors } = attempt;
  return {
    ...key,
    epoch,
    baseEditVersion,
    documentJson: JSON.stringify(schema),
    patches,
    mirrors: isObject(metadata) ? toMirroredColumns(metadata) : {},
    userId,
    contributors,
    historyId,
    savedThrough,
    stateHash: stateHash(attempt.document),
  };
}
