/**
 * Operations that the room has accepted and no save contains yet. If the server crashes before it saves, they are sent again
 * under the same opId, and applied exactly once.
 */
import type { DurableOp } from '../room/operations.ts';

export interface SentOp {
  readonly opId: string;
  readonly op: DurableOp;
}

export class AcceptedOps {
  #accepted: (SentOp & { readonly version: number })[] = [];
  /** The last saved version of this epoch: the news of a save may come before the acknowledgement of an operation in it. */
  #savedThrough = -1;

  get size(): number {
    return this.#accepted.length;
  }

  noteAccepted(sent: SentOp, version: number): void {
    if (version > this.#savedThrough) this.#accepted.push({ ...sent, version });
  }

  /** Removes operations up to version `through`: a save contains them. */
  noteSaved(through: number): void {
    this.#savedThrough = through;
    this.#accepted = this.#accepted.filter((sent) => sent.version > through);
  }

  /** Removes an operation that the room dropped after an external save. */
  remove(opId: string): void {
    this.#accepted = this.#accepted.filter((sent) => sent.opId !== opId);
  }

  /** Lists all operations in the order of their versions. */
  list(): SentOp[] {
    return this.#accepted.toSorted((a, b) => a.version - b.version).map(({ opId, op }) => ({ opId, op }));
  }

  /** Removes and returns all operations in order. */
  takeAll(): SentOp[] {
    const all = this.list();
    this.#accepted = [];
    this.#savedThrough = -1;
    return all;
  }
}
