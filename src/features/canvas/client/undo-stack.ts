/** Undo and redo of the own edits: the document before and after each (SPEC API-canvas-events: up to 50). */
import type { CanvasDocument } from '../room/document.ts';
import type { BatchOp, DurableOp, RenameOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';
import { diffToBatch } from './difference-ops.ts';

const MAX_EDITS = 50;

/** How an edit appears in the undo history. */
export interface EditOptions {
  /** Consecutive edits with the same key are one undo step, such as typing in one field. */
  readonly merge?: string;
  /** Shown beside "Undo" in the menu. */
  readonly label?: string;
}

/** One undo or redo; without an operation where nothing differs. */
export interface UndoStep {
  readonly label: string;
  readonly op: BatchOp | RenameOp | null;
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
  /** The difference of the documents would delete what colleagues have connected to the node since. */
  readonly rename: RenameOp | null;
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
      const rename = op.type === 'node:rename' ? op : null;
      this.#done = [...this.#done, { before, after, merge, label, rename }].slice(-MAX_EDITS);
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
    const { label, rename, before, after } = edited;
    if (rename === null) return { label, op: diffToBatch(after, before, 'undo') };
    return { label, op: { ...rename, nodeId: rename.newId, newId: rename.nodeId } };
  }

  /** Returns the operation that repeats the last undone edit; null when there is none. */
  redo(): UndoStep | null {
    const edited = this.#undone.pop();
    if (edited === undefined) return null;
    this.#done.push(edited);
    const { label, rename, before, after } = edited;
    return { label, op: rename ?? diffToBatch(before, after, 'redo') };
  }
}

/** Counts a step's parts, and those that would be skipped on `view`. */
export function measureUndoStep(
  view: CanvasDocument,
  { label, op }: UndoStep,
): { readonly label: string; readonly parts: number; readonly leftOut: number } {
  if (op === null) return { label, parts: 0, leftOut: 0 };
  const parts = op.type === 'batch' ? op.ops.length : 1;
  const reduction = reduce(view, op, UNLOCKED);
  return { label, parts, leftOut: reduction.outcome === 'rejected' ? parts : reduction.skipped.length };
}
