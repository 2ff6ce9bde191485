/** Reasons why a document cannot be read, as messages for the person who uploaded it. */
import { ExtractionFailed } from '../extraction-port.ts';

export const damaged = (kind: string): ExtractionFailed =>
  new ExtractionFailed('damaged', `The ${kind} is damaged or incomplete and cannot be read`);

export const encrypted = (kind: string): ExtractionFailed =>
  new ExtractionFailed('encrypted', `The ${kind} is encrypted: upload it without a password`);

export const tooLarge = (what: string): ExtractionFailed => new ExtractionFailed('too_large', what);

export const tooDeep = (): ExtractionFailed =>
  new ExtractionFailed('too_deep', 'The document is nested too deeply to be read');

export const tookTooLong = (timeoutMs: number): ExtractionFailed =>
  new ExtractionFailed('timeout', `The document could not be read within ${timeoutMs / 1_000} seconds`);

export const outOfMemory = (): ExtractionFailed =>
  new ExtractionFailed('out_of_memory', 'The document needs too much memory to be read');

/** Tells an allocation failure at the memory limit by its message: V8 gives it no code, and a parser may rethrow it as its own error. */
export const isAllocation = (error: unknown): boolean =>
  error instanceof Error &&
  /allocation failed|Invalid (array buffer|typed array|string) length/.test(error.message);
