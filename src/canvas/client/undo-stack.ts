/** What can be undone and redone: pairs of snapshots around each own edit (SPEC API-canvas-events: up to 50). */
import type { CanvasDocument } from '../room/document.ts';
import type { BatchOp, DurableOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';
import { differenceBatch } from './difference-ops.ts';

const MAX_SNAPSHOTS = 50;

/** What an edit is to the user. */
export interface EditWords {
  /** Edits in a row with the same key are undone as one: what was typed while a field had the focus. */
  readonly merge?: string;
  /** What the menu says beside "Undo". */
  readonly label?: string;
}

/** A step back or forth: its batch is null when the step changed nothing. */
export interface Retraction {
  readonly label: string;
  readonly batch: BatchOp | null;
}

/** What the user saw before and after an own operation. */
interface OwnEdit {
  readonly before: CanvasDocument;
  readonly after: CanvasDocument;
  readonly op: DurableOp;
}

/** The labels of the next steps; null where there is none. */
export interface Steps {
  readonly nextUndo: string | null;
  readonly nextRedo: string | null;
}

interface Edited {
  readonly before: CanvasDocument;
  readonly after: CanvasDocument;
  readonly merge: string | undefined;
  readonly label: string;
}

export class UndoStack implements Steps {
  #done: Edited[] = [];
  #undone: Edited[] = [];

  /** An own edit: what was undone before cannot be redone any more. */
  record({ before, after, op }: OwnEdit, { merge, label = '' }: EditWords): void {
    if (before === after) return;
    const last = this.#undone.length === 0 ? this.#done.at(-1) : undefined;
    // On what this step left, not on the view: that holds colleagues' edits, which undo would take for own ones.
    const joined =
      last !== undefined && merge !== undefined && last.merge === merge
        ? reduce(last.after, op, UNLOCKED)
        : null;
    if (last !== undefined && joined?.outcome === 'applied') {
      this.#done = [...this.#done.slice(0, -1), { ...last, after: joined.document }];
    } else {
      this.#done = [...this.#done, { before, after, merge, label }].slice(-MAX_SNAPSHOTS);
    }
    this.#undone = [];
  }

  /** The label of the step that `undo` takes back; null when there is none. */
  get nextUndo(): string | null {
    return this.#done.at(-1)?.label ?? null;
  }

  get nextRedo(): string | null {
    return this.#undone.at(-1)?.label ?? null;
  }

  /** The operation that takes the last edit back; null when there is none. */
  undo(): Retraction | null {
    const edited = this.#done.pop();
    if (edited === undefined) return null;
    this.#undone.push(edited);
    return { label: edited.label, batch: differenceBatch(edited.after, edited.before, 'undo') };
  }

  /** The operation that makes the last undone edit again; null when there is none. */
  redo(): Retraction | null {
    const edited = this.#undone.pop();
    if (edited === undefined) return null;
    this.#done.push(edited);
    return { label: edited.label, batch: differenceBatch(edited.before, edited.after, 'redo') };
  }
}

/** How many parts a step has, and how many of them `view` would leave out. */
export function measureRetraction(
  view: CanvasDocument,
  { label, batch }: Retraction,
): { readonly label: string; readonly parts: number; readonly leftOut: number } {
  if (batch === null) return { label, parts: 0, leftOut: 0 };
  const reduction = reduce(view, batch, UNLOCKED);
  const leftOut = reduction.outcome === 'rejected' ? batch.ops.length : reduction.skipped.length;
  return { label, parts: batch.ops.length, leftOut };
}
