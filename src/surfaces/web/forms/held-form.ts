/** The open form whose node a colleague deletes while somebody types in it: its fields stay, as they were, until it is left. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp } from '../../../features/canvas/room/operations.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { UnsavedDraft } from './draft-store.ts';
import { readEntity, readNodeId, type Entity } from './entity.ts';
import { followPlace, type Versions } from './follow-place.ts';
import type { LostText } from './kept-drafts.ts';
import { readRemoved, restoreAround, restoreRemoved } from './lost-texts.ts';

interface HeldFormDeps {
  readonly view: () => CanvasDocument;
  readonly edit: (op: BatchOp) => void;
  readonly findLost: (key: string) => LostText | undefined;
  /** The fields of a held form have gone: what is typed in them becomes lost texts. */
  readonly onLeave: (entity: Entity) => void;
}

export class HeldForm {
  readonly #deps: HeldFormDeps;
  #open: { readonly entity: Entity; readonly hasFocus: () => boolean } | null = null;
  /** The last documents that had the entity; null while it is there. */
  #before: Versions | null = null;

  constructor(deps: HeldFormDeps) {
    this.#deps = deps;
  }

  /**
   * @param hasFocus whether somebody is in the form: one that nobody uses goes with its node
   * @returns to call when the form is closed
   */
  open(entity: Entity, hasFocus: () => boolean): () => void {
    this.#open = { entity, hasFocus };
    this.#before = null;
    return () => {
      this.leave(entity);
      if (this.#open?.entity === entity) this.#open = null;
    };
  }

  /** Lets the fields of a deleted node go; a form whose node is there stays. */
  leave(entity: Entity): void {
    if (this.entity !== entity) return;
    this.#before = null;
    this.#deps.onLeave(entity);
  }

  /** The entity whose deletion is held back; null for none. */
  get entity(): Entity | null {
    return this.#before === null ? null : (this.#open?.entity ?? null);
  }

  /** Returns the documents in which a held entity still is; undefined for any other entity. */
  findVersions(entity: Entity): Versions | undefined {
    return this.entity === entity ? (this.#before ?? undefined) : undefined;
  }

  /** A deleted node as its open form shows it until it is left; undefined for any other node. */
  node(nodeId: string): JsonObject | undefined {
    const held = this.findVersions(`node:${nodeId}`);
    return held && readEntity(held.view, `node:${nodeId}`);
  }

  /** Looks at one change of the document. @param isOwn whether this page has made it */
  follow(before: Versions, now: Versions, isOwn: boolean): void {
    if (this.#open === null) return;
    const { entity, hasFocus } = this.#open;
    if (readEntity(now.view, entity) !== undefined) this.#before = null;
    else if (this.#before === null && !isOwn && readEntity(before.view, entity) !== undefined) {
      const isRenamed = followPlace(before.view, now.view, { entity, ptr: '' }) !== null;
      if (!isRenamed && hasFocus()) this.#before = before;
    }
  }

  /** Restores the node of a held form, which its typed values follow. */
  putNodeBack(nodeId: string): void {
    const entity: Entity = `node:${nodeId}`;
    const held = this.findVersions(entity);
    if (held !== undefined)
      this.#edit(restoreRemoved(this.#deps.view(), entity, readRemoved(held.view, entity)));
  }

  /** Restores what was deleted around a lost text, or around a draft of a held form: the text follows. */
  putBack({ key, draft }: UnsavedDraft): void {
    const nodeId = draft && readNodeId(draft.entity);
    if (nodeId !== null) return this.putNodeBack(nodeId);
    const lost = this.#deps.findLost(key);
    if (lost !== undefined) this.#edit(restoreAround(lost, this.#deps.view()));
  }

  #edit(op: BatchOp | null): void {
    if (op !== null) this.#deps.edit(op);
  }
}
