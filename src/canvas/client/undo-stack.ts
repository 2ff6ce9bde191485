/** What can be undone and redone: pairs of snapshots around each own edit (SPEC API-canvas-events: up to 50). */
import type { CanvasDocument } from '../room/document.ts';
import type { DurableOp } from '../room/operations.ts';
import { differenceBatch } from './difference-ops.ts';

const MAX_SNAPSHOTS = 50;

interface Edited {
  readonly before: CanvasDocument;
  readonly after: CanvasDocument;
}

export class UndoStack {
  #done: Edited[] = [];
  #undone: Edited[] = [];

  /** An own edit: what was undone before cannot be redone any more. */
  record(before: CanvasDocument, after: CanvasDocument): void {
    if (before === after) return;
    this.#done = [...this.#done, { before, after }].slice(-MAX_SNAPSHOTS);
    this.#undone = [];
  }

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** The operation that takes the last edit back; null when there is none. */
  undo(): DurableOp | null {
    const edited = this.#done.pop();
    if (edited === undefined) return null;
    this.#undone.push(edited);
    return differenceBatch(edited.after, edited.before, 'undo');
  }

  /** The operation that makes the last undone edit again; null when there is none. */
  redo(): DurableOp | null {
    const edited = this.#undone.pop();
    if (edited === undefined) return null;
    this.#done.push(edited);
    return differenceBatch(edited.before, edited.after, 'redo');
  }
}
