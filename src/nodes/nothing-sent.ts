/** A failed call of which it is certain that no byte of the request left the process. */
import { NodeError } from './kind.ts';

/**
 * Thrown by the HTTP port when the destination was refused, not resolved or not connected to. Only then may an effect
 * that must not be repeated be tried again (SPEC REL-effect-classes).
 */
export class NothingSentError extends NodeError {}
