/** What the Composer makes of a workflow, saved as any other edit of it. */
import type { Db } from '../../src/db/client.ts';
import { ApiError } from '../../src/errors.ts';
import { NodeError } from '../../src/nodes/kind.ts';
import type { CompositionPort } from '../../src/nodes/tools.ts';
import { saveComposed } from '../../src/resources/workflows/compose.ts';

const MAX_PLACES = 5;

/** A refusal of the saving user as the failure of a node; anything else passes. */
function toNodeError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.failure.shape !== 'A') return error;
  const { status, detail } = error.failure;
  const code = status === 404 ? 'workflow_not_found' : 'forbidden';
  return new NodeError(code, detail, { status });
}

/** Saves in the tables of workflows. */
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
