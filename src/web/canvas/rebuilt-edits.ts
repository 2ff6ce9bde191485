/**
 * Edits that copy or rewrite what they have read, such as the new name of a state field: the room refuses one whose guards a
 * colleague's edit has broken, and it is built again from what is there then.
 */
import type { EditOptions } from '../../canvas/client/undo-stack.ts';
import type { CanvasDocument } from '../../canvas/room/document.ts';
import type { BatchOp } from '../../canvas/room/operations.ts';

/** A colleague who types changes a node a few times a second; an answer takes less. */
const MAX_TRIES = 5;

/** Builds the operation from the document now; null when it cannot be made any more. */
type Build = (view: CanvasDocument) => BatchOp | null;

interface SentEdit {
  readonly build: Build;
  readonly words: EditOptions;
  readonly tries: number;
}

interface RebuiltEditsDeps {
  readonly view: () => CanvasDocument;
  readonly send: (op: BatchOp, words: EditOptions) => string | null;
  readonly isPending: (opId: string) => boolean;
}

export class RebuiltEdits {
  readonly #deps: RebuiltEditsDeps;
  readonly #sent = new Map<string, SentEdit>();

  constructor(deps: RebuiltEditsDeps) {
    this.#deps = deps;
  }

  /** @returns whether the document took it */
  edit(build: Build, words: EditOptions): boolean {
    return this.#send({ build, words, tries: 1 });
  }

  /** Builds a refused edit again. @returns false when it is none of these, or cannot be made */
  retry(opId: string): boolean {
    const sent = this.#sent.get(opId);
    return sent !== undefined && sent.tries < MAX_TRIES && this.#send({ ...sent, tries: sent.tries + 1 });
  }

  #send(sent: SentEdit): boolean {
    for (const opId of this.#sent.keys()) if (!this.#deps.isPending(opId)) this.#sent.delete(opId);
    const op = sent.build(this.#deps.view());
    const opId = op === null ? null : this.#deps.send(op, sent.words);
    if (opId !== null) this.#sent.set(opId, sent);
    return opId !== null;
  }
}
