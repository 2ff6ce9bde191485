/** The accepted operations of a room that no save contains yet, in order. */
import type { ReplayableOp } from './replay.ts';

/**
 * Beyond one of these the room rejects operations until a save succeeds (SPEC CAN-R31). Fifty people who drag make 1,000
 * operations a second, so 30 s of them must fit, or a slow disk closes a busy room.
 */
export const MAX_UNSAVED_OPS = 30_000;
export const MAX_UNSAVED_SIZE = 16 * 1024 * 1024;
export const MAX_UNSAVED_AGE_MS = 30_000;
/** Beyond one of these a save comes before its tick (SPEC CAN-R16): more than a busy room accepts between two ticks. */
const EARLY_OPS = 2_500;
const EARLY_SIZE = 512 * 1024;

export interface UnsavedOp extends ReplayableOp {
  readonly version: number;
  readonly size: number;
  /** Monotonic time of acceptance. */
  readonly at: number;
}

export class UnsavedOps {
  #ops: readonly UnsavedOp[] = [];
  #size = 0;
  #added: UnsavedOp[] = [];
  #lastAuthor = '';

  /** Author of the last operation, saved or not; '' before the first. */
  get lastAuthor(): string {
    return this.#lastAuthor;
  }

  get ops(): readonly UnsavedOp[] {
    if (this.#added.length > 0) {
      this.#ops = [...this.#ops, ...this.#added];
      this.#added = [];
    }
    return this.#ops;
  }

  get count(): number {
    return this.#ops.length + this.#added.length;
  }

  push(op: UnsavedOp): void {
    this.#added.push(op);
    this.#size += op.size;
    this.#lastAuthor = op.userId;
  }

  replace(ops: readonly UnsavedOp[]): void {
    this.#ops = ops;
    this.#added = [];
    this.#size = ops.reduce((sum, op) => sum + op.size, 0);
  }

  get isSaveDue(): boolean {
    return this.count >= EARLY_OPS || this.#size >= EARLY_SIZE;
  }

  get isFull(): boolean {
    return this.count > MAX_UNSAVED_OPS || this.#size > MAX_UNSAVED_SIZE;
  }

  /** Monotonic time at which the oldest operation reaches the maximum age; Infinity when there is none. */
  get deadline(): number {
    const oldest = this.#ops[0] ?? this.#added[0];
    return oldest === undefined ? Infinity : oldest.at + MAX_UNSAVED_AGE_MS;
  }
}
