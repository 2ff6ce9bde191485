/** Why a document is not read, in words for whoever uploaded it. */
import { ExtractionFailed } from '../extraction-port.ts';

/** Says that the document cannot be understood; takes what it was taken for. */
export const damaged = (kind: string): ExtractionFailed =>
  new ExtractionFailed('damaged', `The ${kind} is damaged or incomplete and cannot be read`);

/** Says that a password stands before the text. */
export const encrypted = (kind: string): ExtractionFailed =>
  new ExtractionFailed('encrypted', `The ${kind} is encrypted: upload it without a password`);

/** Says that the document is beyond a bound; takes which. */
export const tooLarge = (what: string): ExtractionFailed => new ExtractionFailed('too_large', what);

/** Says that the structure of the document cannot be followed. */
export const tooDeep = (): ExtractionFailed =>
  new ExtractionFailed('too_deep', 'The document is nested too deeply to be read');

/** Says that it was given all the time there is. */
export const tookTooLong = (timeoutMs: number): ExtractionFailed =>
  new ExtractionFailed('timeout', `The document could not be read within ${timeoutMs / 1_000} seconds`);

/** Says that it was given all the memory there is. */
export const outOfMemory = (): ExtractionFailed =>
  new ExtractionFailed('out_of_memory', 'The document needs too much memory to be read');

/** Whether an error is a refused allocation: the process may have so much and no more. A parser may pass it on as its own. */
export const isAllocation = (error: unknown): boolean =>
  error instanceof Error &&
  /allocation failed|Invalid (array buffer|typed array|string) length/.test(error.message);
