/** Tells failures of a workflow task that its code has caused from those of a slow machine, of the server or of an operator. */
import { MISSING_KEY } from '../contract.ts';

/**
 * Values of temporal.api.enums.v1.WorkflowTaskFailedCause: an error that the code throws, a replay that differs, and commands that the
 * server refuses. The code is not at fault in others: a lost sticky queue, a reset, a limit that clears, events that came meanwhile.
 */
const CODE_CAUSES: ReadonlySet<number> = new Set([
  2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 19, 22, 24, 25, 36, 37,
]);

/** Failures that the SDK reports as errors of the code: a key that comes with a deployment, a thread that has ended. */
const NOT_OF_CODE: readonly string[] = [MISSING_KEY, 'UnexpectedError'];

/** The message of Node's `vm` when an activation takes longer than the SDK allows. */
export const ACTIVATION_TIMED_OUT = /^Script execution timed out/;

/** @param type of the application failure; empty when it has none */
export function isFailureOfCode(cause: number, type: string): boolean {
  return CODE_CAUSES.has(cause) && !NOT_OF_CODE.includes(type);
}
