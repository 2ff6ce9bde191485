/** The accepted operations of a room that no save has covered yet, in their order. */
import type { Replayable } from './replay.ts';

/**
 * Beyond one of these the room stops to accept until a save succeeds (SPEC CAN-R31). Fifty people who drag make a
 * thousand operations a second: as many of them as the age allows must fit, or a slow disk closes a busy room.
 */
export const MAX_OPS = 30_000;
export const MAX_SIZE = 16 * 1024 * 1024;
export const MAX_AGE_MS = 30_000;
/** From here on a save comes early (SPEC CAN-R16): above what a busy room accepts between two ticks. */
const EARLY_OPS = 2_500;
const EARLY_SIZE = 512 * 1024;

export interface UnsavedOp extends Replayable {
  readonly version: number;
  readonly size: number;
  /** Monotonic time of acceptance. */
  readonly at: number;
}

export class Unsaved {
  #ops: readonly UnsavedOp[] = [];
  #size = 0;
  #added: UnsavedOp[] = [];
  #lastAuthor = '';

  /** Who made the last operation, saved or not. */
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

  keep(ops: readonly UnsavedOp[]): void {
    this.#ops = ops;
    this.#added = [];
    this.#size = ops.reduce((sum, op) => sum + op.size, 0);
  }

  get isMany(): boolean {
    return this.count >= EARLY_OPS || this.#size >= EARLY_SIZE;
  }

  get isFull(): boolean {
    return this.count > MAX_OPS || this.#size > MAX_SIZE;
  }

  /** Monotonic time at which the oldest has waited longer than a save may take; Infinity without any. */
  get tooOldAt(): number {
    const oldest = this.#ops[0] ?? this.#added[0];
    return oldest === undefined ? Infinity : oldest.at + MAX_AGE_MS;
  }
}
