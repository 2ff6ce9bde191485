/**
 * A client's copy of a room: the state that the server confirmed, and on top of it what was done here and not
 * confirmed yet. Remote operations go below the own ones: those are taken off, and applied again.
 */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { isObject, type JsonObject } from '../../graph/value.ts';
import { readDocument, writeDocument, type CanvasDocument } from '../room/document.ts';
import { stateHash } from '../room/entity-facts.ts';
import type { DurableOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';

export interface PendingOp {
  readonly opId: string;
  readonly op: DurableOp;
  /** Refused for now: it waits to be sent again, and those after it with it. */
  isHeld: boolean;
}

export class Replica {
  #confirmed: CanvasDocument = readDocument({});
  #version = 0;
  #pending: PendingOp[] = [];
  #view: CanvasDocument | null = null;

  get version(): number {
    return this.#version;
  }

  get confirmed(): CanvasDocument {
    return this.#confirmed;
  }

  get pending(): readonly PendingOp[] {
    return this.#pending;
  }

  /** What the user sees. A pending operation that cannot be applied any more is left out until its answer comes. */
  get view(): CanvasDocument {
    this.#view ??= this.#pending.reduce((document, { op }) => applied(document, op), this.#confirmed);
    return this.#view;
  }

  get hash(): string {
    return stateHash(this.#confirmed);
  }

  /** A snapshot from the server. What is pending stays pending, after `before`. */
  reset(schema: JsonObject, version: number): void {
    this.#confirmed = readDocument(schema);
    this.#version = version;
    this.#view = null;
  }

  /** Puts operations before those that are pending. */
  precede(ops: readonly PendingOp[]): void {
    this.#pending = [...ops, ...this.#pending];
    this.#view = null;
  }

  add(pending: PendingOp): void {
    this.#view = applied(this.view, pending.op);
    this.#pending.push(pending);
  }

  find(opId: string): PendingOp | undefined {
    return this.#pending.find((pending) => pending.opId === opId);
  }

  /** Whether one before it waits to be sent again. */
  isBehindHeld(pending: PendingOp): boolean {
    const held = this.#pending.findIndex(({ isHeld }) => isHeld);
    return held !== -1 && held < this.#pending.indexOf(pending);
  }

  /** The answer came, or there will be none. */
  retire(opId: string): void {
    this.#pending = this.#pending.filter((pending) => pending.opId !== opId);
    this.#view = null;
  }

  /** The operation of the next version. @returns false when it is not the next: something was missed */
  advance(op: DurableOp, version: number): boolean {
    if (version !== this.#version + 1) return false;
    this.#confirmed = applied(this.#confirmed, op);
    this.#version = version;
    this.#view = null;
    return true;
  }

  /** Somebody's save from outside the room. @returns false when it does not fit what is here */
  patch(patches: readonly Operation[]): boolean {
    if (patches.length === 0) return true;
    try {
      const schema: unknown = jsonPatch.applyPatch(
        writeDocument(this.#confirmed),
        [...patches],
        true,
        false,
      ).newDocument;
      if (!isObject(schema)) return false;
      this.#confirmed = readDocument(schema);
      this.#view = null;
      return true;
    } catch {
      return false;
    }
  }
}

function applied(document: CanvasDocument, op: DurableOp): CanvasDocument {
  const reduction = reduce(document, op, UNLOCKED);
  return reduction.outcome === 'applied' ? reduction.document : document;
}
