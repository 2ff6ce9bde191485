/** Notes on the canvas: stored in the metadata under `/canvas/notes/<id>`, where no run reads them. */
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { SingleOp } from '../../../features/canvas/room/operations.ts';

/** The prefix of notes' ids in React Flow; a node id cannot have a colon. */
export const NOTE = 'note:';

export interface Note {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The document's own object: identical until someone changes the note. */
  readonly source: JsonObject;
}

const DEFAULT = { width: 240, height: 120 };

const readNumber = (object: JsonObject, key: string, fallback: number): number => {
  const value = ownValue(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
};

/** Reads the notes of a document by their id. */
export function readNotes(document: CanvasDocument): ReadonlyMap<string, Note> {
  const metadata = ownValue(document.rest, 'metadata');
  const notes = ownValue(ownValue(metadata, 'canvas'), 'notes');
  const entries = isObject(notes) ? Object.entries(notes) : [];
  return new Map(
    entries.flatMap(([id, source]): [string, Note][] => {
      if (!isObject(source)) return [];
      const text = ownValue(source, 'text');
      return [
        [
          id,
          {
            text: typeof text === 'string' ? text : '',
            x: readNumber(source, 'x', 0),
            y: readNumber(source, 'y', 0),
            width: Math.max(96, readNumber(source, 'width', DEFAULT.width)),
            height: Math.max(48, readNumber(source, 'height', DEFAULT.height)),
            source,
          },
        ],
      ];
    }),
  );
}

/** A new note is a merge patch, because `/canvas/notes` may not exist yet. */
export const addNote = (
  id: string,
  at: { readonly x: number; readonly y: number },
  text: string,
): SingleOp => ({
  type: 'metadata:update',
  changes: { canvas: { notes: { [id]: { text, x: at.x, y: at.y, ...DEFAULT } } } },
});

export const setNote = (id: string, values: JsonObject): SingleOp => ({
  type: 'metadata:update',
  set: Object.fromEntries(
    Object.entries(values).map(([key, value]) => [formatPointer(['canvas', 'notes', id, key]), value]),
  ),
});

export const removeNote = (id: string): SingleOp => ({
  type: 'metadata:update',
  unset: [formatPointer(['canvas', 'notes', id])],
});
