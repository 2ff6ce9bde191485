/** The error of a node that fails by a fault of this service: its cause is for the log, and its text tells a person what to do. */
import { NodeError } from '../../../language/nodes/kind.ts';

export const createInternalError = (cause: unknown): NodeError =>
  new NodeError('internal_error', 'Internal error. Report the run ID.', { cause });
