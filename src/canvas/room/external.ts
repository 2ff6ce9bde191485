/** Somebody else's saves as a room tells them: one event for each edit_version, the last of them with the difference. */
import type { Json, JsonObject } from '../../graph/value.ts';
import { writeDocument, type CanvasDocument } from './document.ts';
import type { ExternalHint } from './room-api.ts';
import { stateHash } from './entity-facts.ts';
import { definitionDiff } from '../../graph/diff.ts';
import type { ExternalEntry, ExternalState } from './ports.ts';
import type { Dropped } from './replay.ts';

/** A longer difference is not sent to everybody: clients join again instead. */
const MAX_PATCHES_LENGTH = 128 * 1024;

/** What was met before, with what was met since. */
export function joinExternal(earlier: ExternalState | null, state: ExternalState): ExternalState {
  const known = earlier?.entries ?? [];
  const last = known.at(-1)?.editVersion ?? -Infinity;
  const entries = [...known, ...state.entries.filter((entry) => entry.editVersion > last)];
  // A writer without history still changed the workflow.
  const isTold = entries.at(-1)?.editVersion === state.editVersion;
  const unknown: ExternalEntry = {
    historyId: '',
    editVersion: state.editVersion,
    userId: null,
    source: 'unknown',
  };
  return { ...state, entries: isTold ? entries : [...entries, unknown] };
}

/** The notification knows where its save came from; who has only looked at the row does not, and the history may. */
export function withHint(state: ExternalState, { editVersion, source, userId }: ExternalHint): ExternalState {
  if (source === 'unknown') return state;
  return {
    ...state,
    entries: state.entries.map((entry) =>
      entry.editVersion === editVersion ? { ...entry, source, userId: userId ?? entry.userId } : entry,
    ),
  };
}

/** The payloads of `workflow:external-sync` for what happened, without the fields that say where the room is. */
export function externalEvents(
  { entries }: ExternalState,
  told: {
    readonly before: CanvasDocument;
    readonly after: CanvasDocument;
    readonly dropped: readonly Dropped[];
    readonly hint: ExternalHint | null;
  },
): JsonObject[] {
  const patches = definitionDiff(writeDocument(told.before), writeDocument(told.after));
  const isLong = JSON.stringify(patches).length > MAX_PATCHES_LENGTH;
  const { liveDeploymentId, editVersion: hinted } = told.hint ?? {};
  return entries.map(({ source, editVersion, userId }, index) => {
    const isLast = index === entries.length - 1;
    const dropped = told.dropped.map((op): Json => ({ ...op }));
    return {
      source,
      editVersion,
      ...(userId === null ? {} : { userId }),
      patches: isLast && !isLong ? patches.map((patch): Json => ({ ...patch })) : [],
      ...(isLast && isLong ? { full: true } : {}),
      stateHash: stateHash(isLast ? told.after : told.before),
      ...(isLast && dropped.length > 0 ? { dropped } : {}),
      ...(liveDeploymentId !== undefined && editVersion === hinted ? { liveDeploymentId } : {}),
    };
  });
}
