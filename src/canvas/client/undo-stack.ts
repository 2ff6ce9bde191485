/** Undo and redo of the own edits: the document before and after each (SPEC API-canvas-events: up to 50). */
import type { CanvasDocument } from '../room/document.ts';
import type { BatchOp, DurableOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';
import { diffToBatch } from './difference-ops.ts';
import { splitBatch } from './split-batch.ts';

const MAX_EDITS = 50;

/** How an edit appears in the undo history. */
export interface EditOptions {
  /** Consecutive edits with the same key are one undo step, such as typing in one field. */
  readonly merge?: string;
  /** Shown beside "Undo" in the menu. */
  readonly label?: string;
}

/**
 * One undo or redo. An edit may move thousands of nodes, and its inverse has a guarded part for each value: it is sent in as
 * many batches as the room's limit needs.
 */
export interface UndoStep {
  readonly label: string;
  readonly batches: readonly BatchOp[];
}

/** An own operation, with the view before and after it. */
interface OwnEdit {
  readonly before: CanvasDocument;
  readonly after: CanvasDocument;
  readonly op: DurableOp;
}

interface RecordedEdit {
  readonly before: CanvasDocument;
  readonly after: CanvasDocument;
  readonly merge: string | undefined;
  readonly label: string;
}

export class UndoStack {
  #done: RecordedEdit[] = [];
  #undone: RecordedEdit[] = [];

  /** Records an own edit and clears the redo steps. */
  record({ before, after, op }: OwnEdit, { merge, label = '' }: EditOptions): void {
    if (before === after) return;
    const last = this.#undone.length === 0 ? this.#done.at(-1) : undefined;
    // Applied to this step's result and not to the view, which contains colleagues' edits that undo must not revert.
    const joined =
      last !== undefined && merge !== undefined && last.merge === merge
        ? reduce(last.after, op, UNLOCKED)
        : null;
    if (last !== undefined && joined?.outcome === 'applied') {
      this.#done = [...this.#done.slice(0, -1), { ...last, after: joined.document }];
    } else {
      this.#done = [...this.#done, { before, after, merge, label }].slice(-MAX_EDITS);
    }
    this.#undone = [];
  }

  /** Label of the step that `undo` reverts; null when there is none. */
  get nextUndo(): string | null {
    return this.#done.at(-1)?.label ?? null;
  }

  /** Label of the step that `redo` repeats; null when there is none. */
  get nextRedo(): string | null {
    return this.#undone.at(-1)?.label ?? null;
  }

  /** Returns the operation that reverts the last edit; null when there is none. */
  undo(): UndoStep | null {
    const edited = this.#done.pop();
    if (edited === undefined) return null;
    this.#undone.push(edited);
    return toStep(edited.label, diffToBatch(edited.after, edited.before, 'undo'));
  }

  /** Returns the operation that repeats the last undone edit; null when there is none. */
  redo(): UndoStep | null {
    const edited = this.#undone.pop();
    if (edited === undefined) return null;
    this.#done.push(edited);
    return toStep(edited.label, diffToBatch(edited.before, edited.after, 'redo'));
  }
}

const toStep = (label: string, batch: BatchOp | null): UndoStep => ({
  label,
  batches: batch === null ? [] : splitBatch(batch),
});

/** Counts a step's parts, and those that would be skipped on `view`. */
export function measureUndoStep(
  view: CanvasDocument,
  { label, batches }: UndoStep,
): { readonly label: string; readonly parts: number; readonly leftOut: number } {
  const [first] = batches;
  if (first === undefined) return { label, parts: 0, leftOut: 0 };
  const ops = batches.flatMap((batch) => batch.ops);
  const reduction = reduce(view, { ...first, ops }, UNLOCKED);
  const leftOut = reduction.outcome === 'rejected' ? ops.length : reduction.skipped.length;
  return { label, parts: ops.length, leftOut };
}
