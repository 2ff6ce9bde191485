/** The bounds of what a source may hold. Each refusal is one of the document, with a code. */
import { ExtractionFailed } from '../extraction-port.ts';
import { tooDeep, tooLarge } from '../extraction/refusals.ts';

/** As a list of a transformer. */
export const MAX_ITEMS = 100_000;
export const MAX_COLUMNS = 1_000;
/** Levels of elements: XML becomes JSON, whose depth is bounded; pages of HTML nest deeper. */
export const MAX_XML_DEPTH = 63;
export const MAX_HTML_DEPTH = 256;
/** Elements, texts and attributes: each takes a few hundred bytes. */
const MAX_PARTS = 1_000_000;
/** Characters of values and their names: a little more than fit into an output. */
const MAX_CHARS = 8 * 1024 * 1024;

export const tooManyItems = (): ExtractionFailed =>
  new ExtractionFailed('too_many_items', `The document has more than ${MAX_ITEMS} items`);

export const tooManyColumns = (): ExtractionFailed =>
  new ExtractionFailed('too_many_columns', `The document has more than ${MAX_COLUMNS} columns`);

/** Counts what is read, while it is read. */
export class Tally {
  #parts = 0;
  #chars = 0;

  /** @throws ExtractionFailed `too_large` */
  addPart(): void {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw tooLarge(`The document has more than ${MAX_PARTS} elements`);
  }

  /** @throws ExtractionFailed `too_large` */
  addChars(count: number): void {
    this.#chars += count;
    if (this.#chars > MAX_CHARS) throw tooLarge(`The values are larger than ${MAX_CHARS} characters`);
  }
}

/** @throws ExtractionFailed `too_deep` */
export function checkDepth(depth: number, most: number): void {
  if (depth > most) throw tooDeep();
}
