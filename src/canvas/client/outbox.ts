/**
 * Operations that the room accepted and no save has covered: should the server die before it saves, they are sent
 * again under the same opId, and applied once whether or not they had survived.
 */
import type { DurableOp } from '../room/operations.ts';

export interface SentOp {
  readonly opId: string;
  readonly op: DurableOp;
}

export class Outbox {
  #accepted: (SentOp & { readonly version: number })[] = [];
  /** Saved up to here, in this life of the room: the answer to a repetition may come after the save. */
  #through = -1;

  get size(): number {
    return this.#accepted.length;
  }

  accepted(sent: SentOp, version: number): void {
    if (version > this.#through) this.#accepted.push({ ...sent, version });
  }

  /** A save covered everything up to here. */
  saved(through: number): void {
    this.#through = through;
    this.#accepted = this.#accepted.filter((sent) => sent.version > through);
  }

  /** Given up by the room: somebody else's save left nothing to apply it to. */
  drop(opId: string): void {
    this.#accepted = this.#accepted.filter((sent) => sent.opId !== opId);
  }

  /** Everything, in its order. */
  all(): SentOp[] {
    return this.#accepted.toSorted((a, b) => a.version - b.version).map(({ opId, op }) => ({ opId, op }));
  }

  /** Everything, in its order; the box is empty then. */
  takeAll(): SentOp[] {
    const all = this.all();
    this.#accepted = [];
    this.#through = -1;
    return all;
  }
}
