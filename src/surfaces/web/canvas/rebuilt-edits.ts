/**
 * Edits that depend on the values they have read, such as the rename of a state field. The room rejects one when a colleague has
 * changed those values; it is then built again from the current document.
 */
import type { EditOptions } from '../../../features/canvas/client/undo-stack.ts';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp } from '../../../features/canvas/room/operations.ts';

/** A colleague who types changes a node a few times a second; a rejection takes less time. */
const MAX_TRIES = 5;

/** Builds the operation from a document; null when it is no longer possible. */
type Build = (view: CanvasDocument) => BatchOp | null;

interface SentEdit {
  readonly build: Build;
  readonly options: EditOptions;
  readonly tries: number;
}

interface RebuiltEditsDeps {
  readonly view: () => CanvasDocument;
  readonly send: (op: BatchOp, options: EditOptions) => string | null;
  readonly isPending: (opId: string) => boolean;
}

export class RebuiltEdits {
  readonly #deps: RebuiltEditsDeps;
  readonly #sent = new Map<string, SentEdit>();

  constructor(deps: RebuiltEditsDeps) {
    this.#deps = deps;
  }

  /** @returns whether the edit was applied */
  edit(build: Build, options: EditOptions): boolean {
    return this.#send({ build, options, tries: 1 });
  }

  /** Builds a rejected edit again. @returns false when it is not one of these, or is no longer possible */
  retry(opId: string): boolean {
    const sent = this.#sent.get(opId);
    return sent !== undefined && sent.tries < MAX_TRIES && this.#send({ ...sent, tries: sent.tries + 1 });
  }

  #send(sent: SentEdit): boolean {
    for (const opId of this.#sent.keys()) if (!this.#deps.isPending(opId)) this.#sent.delete(opId);
    const op = sent.build(this.#deps.view());
    const opId = op === null ? null : this.#deps.send(op, sent.options);
    if (opId !== null) this.#sent.set(opId, sent);
    return opId !== null;
  }
}
