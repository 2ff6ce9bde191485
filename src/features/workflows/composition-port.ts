/** Saves the workflows that the Composer edits, as any other edit. */
import type { Db } from '../../base/db/client.ts';
import { ApiError } from '../../base/errors.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { CompositionPort } from '../../language/nodes/tools.ts';
import { saveComposed } from './compose.ts';

const MAX_PLACES = 5;

/** Converts a refusal (ApiError) to the failure of a node; returns any other error unchanged. */
function toNodeError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.failure.shape !== 'A') return error;
  const { status, detail } = error.failure;
  const code = status === 404 ? 'workflow_not_found' : 'forbidden';
  return new NodeError(code, detail, { status });
}

/** Creates the port that saves compositions. */
export function createCompositionPort(db: Db): CompositionPort {
  return {
    async save({ userId, ...composition }) {
      if (userId === null) throw new NodeError('forbidden', 'A composition is saved for a user');
      try {
        const outcome = await saveComposed(db, { ...composition, userId });
        if (outcome.kind !== 'conflict') return outcome;
        const places = outcome.places.slice(0, MAX_PLACES).join(', ');
        const message = `Somebody else has changed the workflow meanwhile, in the same places: ${places}. Nothing was saved`;
        throw new NodeError('edit_conflict', message);
      } catch (error) {
        throw toNodeError(error);
      }
    },
  };
}
