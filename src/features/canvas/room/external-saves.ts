/** External saves as `workflow:external-sync` events: one for each edit_version, the last of them with the patches. */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { writeDocument, type CanvasDocument } from './document.ts';
import type { ExternalSaveNotice } from './room-api.ts';
import { stateHash } from './document-measures.ts';
import { diffDefinitions } from '../../../language/graph/definition/diff.ts';
import type { ExternalEntry, ExternalState } from './ports.ts';
import type { DroppedOp } from './replay.ts';

/** Longer patches are not broadcast: clients join again instead. */
const MAX_PATCHES_LENGTH = 128 * 1024;

/** Merges an external state with an earlier one that the room has not adopted yet. */
export function mergeExternal(earlier: ExternalState | null, state: ExternalState): ExternalState {
  const known = earlier?.entries ?? [];
  const last = known.at(-1)?.editVersion ?? -Infinity;
  const entries = [...known, ...state.entries.filter((entry) => entry.editVersion > last)];
  // A writer that left no history entry still changed the workflow.
  const isTold = entries.at(-1)?.editVersion === state.editVersion;
  const unknown: ExternalEntry = {
    historyId: '',
    editVersion: state.editVersion,
    userId: null,
    source: 'unknown',
  };
  return { ...state, entries: isTold ? entries : [...entries, unknown] };
}

/** Adds the notice's source and user to its history entry; a sweep has no source, so it adds nothing. */
export function attributeSave(
  state: ExternalState,
  { editVersion, source, userId }: ExternalSaveNotice,
): ExternalState {
  if (source === 'unknown') return state;
  return {
    ...state,
    entries: state.entries.map((entry) =>
      entry.editVersion === editVersion ? { ...entry, source, userId: userId ?? entry.userId } : entry,
    ),
  };
}

/** Returns the payloads of `workflow:external-sync`, without the room's own fields (workflowId, version, epoch). */
export function toExternalSyncEvents(
  { entries }: ExternalState,
  change: {
    readonly before: CanvasDocument;
    readonly after: CanvasDocument;
    readonly dropped: readonly DroppedOp[];
    readonly hint: ExternalSaveNotice | null;
  },
): JsonObject[] {
  const patches = diffDefinitions(writeDocument(change.before), writeDocument(change.after));
  const isLong = JSON.stringify(patches).length > MAX_PATCHES_LENGTH;
  const { liveDeploymentId, editVersion: hinted } = change.hint ?? {};
  return entries.map(({ source, editVersion, userId }, index) => {
    const isLast = index === entries.length - 1;
    const dropped = change.dropped.map((op): Json => ({ ...op }));
    return {
      source,
      editVersion,
      ...(userId === null ? {} : { userId }),
      patches: isLast && !isLong ? patches.map((patch): Json => ({ ...patch })) : [],
      ...(isLast && isLong ? { full: true } : {}),
      stateHash: stateHash(isLast ? change.after : change.before),
      ...(isLast && dropped.length > 0 ? { dropped } : {}),
      ...(liveDeploymentId !== undefined && editVersion === hinted ? { liveDeploymentId } : {}),
    };
  });
}
