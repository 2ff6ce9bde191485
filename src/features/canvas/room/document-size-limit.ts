/** Limits a document's size without measuring the document for each operation. */
import { MAX_DEFINITION_BYTES } from '../../../language/graph/definition/definition-size.ts';
import type { CanvasDocument } from './document.ts';
import type { WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { documentSize } from './document-measures.ts';

/** An operation grows the document by at most this multiple of its own bytes: a new node also gets a state field. */
const MAX_GROWTH = 3;

export class DocumentSizeLimit {
  /** Upper bound of the document's size; made exact by `measure`. */
  #bytes: number;

  constructor(document: CanvasDocument) {
    this.#bytes = documentSize(document);
  }

  /** Counts an operation of `opBytes` JSON bytes. @returns false when only `measure` can tell whether the document fits */
  reserve(opBytes: number): boolean {
    const bytes = this.#bytes + MAX_GROWTH * opBytes;
    if (bytes > MAX_DEFINITION_BYTES) return false;
    this.#bytes = bytes;
    return true;
  }

  /**
   * Measures the exact size.
   * @param work counts what is written to measure it
   * @returns false when the operation makes the document too large and must be rejected
   */
  measure(
    { before, after }: { readonly before: CanvasDocument; readonly after: CanvasDocument },
    work: Pick<WorkBudget, 'spend'>,
  ): boolean {
    const bytes = documentSize(after, work);
    const bytesBefore = documentSize(before, work);
    const isPermitted = bytes <= MAX_DEFINITION_BYTES || bytes <= bytesBefore;
    this.#bytes = isPermitted ? bytes : bytesBefore;
    return isPermitted;
  }
}
