/**
 * A client's copy of a room: the confirmed state, and pending own operations on top. A remote operation is applied to the
 * confirmed state, then the pending ones are applied again.
 */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { isObject, type JsonObject } from '../../../language/graph/values/value.ts';
import { readDocument, writeDocument, type CanvasDocument } from '../room/document.ts';
import { stateHash } from '../room/document-measures.ts';
import type { DurableOp } from '../room/operations.ts';
import { RecentRenames } from '../room/recent-renames.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';
import type { SentOp } from './accepted-ops.ts';

export interface PendingOp {
  readonly opId: string;
  readonly op: DurableOp;
  /** The version on which it was made; 0 for one of an earlier epoch, whose versions do not compare with those of this one. */
  readonly baseVersion: number;
  /** True while it waits to be sent again after a retryable rejection; later operations wait with it. */
  isHeld: boolean;
  /** True for a part of an edit that was split; the other parts may be applied without it. */
  readonly isPart?: boolean;
  /** The name of its edit in the undo history. */
  readonly label?: string;
}

export class Replica {
  #confirmed: CanvasDocument = readDocument({});
  #version = 0;
  #pending: PendingOp[] = [];
  #renames = new RecentRenames();
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

  /**
   * The confirmed state with the pending operations on top. An operation on a node that a colleague has renamed meanwhile changes
   * the node with its new id, as in the room; one that no longer applies is skipped until its answer comes.
   */
  get view(): CanvasDocument {
    this.#view ??= this.#pending.reduce(
      (document, { op, baseVersion }) => applyOp(document, this.#renames.follow(op, baseVersion, document)),
      this.#confirmed,
    );
    return this.#view;
  }

  get hash(): string {
    return stateHash(this.#confirmed);
  }

  /** Replaces the confirmed state by a snapshot; pending operations stay pending. */
  reset(schema: JsonObject, version: number): void {
    this.#confirmed = readDocument(schema);
    this.#version = version;
    this.#renames = new RecentRenames();
    this.#view = null;
  }

  /**
   * Starts an epoch of the room.
   * @param unsaved operations that the room had accepted and may have lost; they become pending again, before the others
   */
  startEpoch(unsaved: readonly SentOp[]): void {
    const again = unsaved.map((sent): PendingOp => ({ ...sent, baseVersion: 0, isHeld: false }));
    // The room follows its renames for a base before them: a version of the last epoch may be higher than all of this one.
    this.#pending = [...again, ...this.#pending.map((pending) => ({ ...pending, baseVersion: 0 }))];
    this.#view = null;
  }

  /** Adds an own operation, made on the current view. @returns it with the version on which it was made */
  append(own: Omit<PendingOp, 'baseVersion'>): PendingOp {
    const pending = { ...own, baseVersion: this.#version };
    this.#view = applyOp(this.view, pending.op);
    this.#pending.push(pending);
    return pending;
  }

  find(opId: string): PendingOp | undefined {
    return this.#pending.find((pending) => pending.opId === opId);
  }

  /** True when an operation before `pending` is held. */
  isBehindHeld(pending: PendingOp): boolean {
    const held = this.#pending.findIndex(({ isHeld }) => isHeld);
    return held !== -1 && held < this.#pending.indexOf(pending);
  }

  /** Removes an operation that was accepted, changed nothing, or was rejected. */
  remove(opId: string): void {
    this.#pending = this.#pending.filter((pending) => pending.opId !== opId);
    this.#view = null;
  }

  /** Applies the operation of the next version. @returns false when the version is not the next: events were missed */
  advance(op: DurableOp, version: number): boolean {
    if (version !== this.#version + 1) return false;
    this.#confirmed = applyOp(this.#confirmed, op);
    this.#version = version;
    this.#renames.record(op, version);
    this.#view = null;
    return true;
  }

  /** Applies the patches of an external save. @returns false when they do not apply to the copy */
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

function applyOp(document: CanvasDocument, op: DurableOp): CanvasDocument {
  const reduction = reduce(document, op, UNLOCKED);
  return reduction.outcome === 'applied' ? reduction.document : document;
}
