/** The bound of a document's size, kept without measuring the document for each operation. */
import { MAX_DEFINITION_BYTES } from '../../graph/definition-size.ts';
import type { CanvasDocument } from './document.ts';
import { documentSize } from './entity-facts.ts';

/** An operation adds to the document at most as many times its own bytes: a new node has a field in the state, too. */
const MAX_GROWTH = 3;

export class DocumentBound {
  /** Never less than the document's size; made exact when it seems too much. */
  #bytes: number;

  constructor(document: CanvasDocument) {
    this.#bytes = documentSize(document);
  }

  /** Counts an operation of so many bytes as JSON. @returns false when the document may be too large with it */
  mayGrow(opBytes: number): boolean {
    const bytes = this.#bytes + MAX_GROWTH * opBytes;
    if (bytes > MAX_DEFINITION_BYTES) return false;
    this.#bytes = bytes;
    return true;
  }

  /** Measures what an operation would do. @returns false when the document becomes too large by it, and then keeps the one before */
  permits(before: CanvasDocument, after: CanvasDocument): boolean {
    const bytes = documentSize(after);
    const bytesBefore = documentSize(before);
    const isPermitted = bytes <= MAX_DEFINITION_BYTES || bytes <= bytesBefore;
    this.#bytes = isPermitted ? bytes : bytesBefore;
    return isPermitted;
  }
}
