/** Fields that recur in the resources of many rooms, each with its description. */
import { z } from 'zod';
import { moment, uuid } from './wire.ts';

export const eventTime = moment.meta({ description: 'Time of the event, ISO 8601 UTC' });
export const chosenOrganizationId = uuid
  .nullish()
  .meta({ description: 'The organization that owns it; X-Organization-ID by default' });
export const workflowId = uuid.meta({
  description: 'Id of the workflow; null when there is none, such as for a run of an inline definition',
});
export const expiresAt = moment.nullable().meta({ description: 'Time of expiry, ISO 8601 UTC; null: never' });
export const runId = uuid.meta({
  description:
    'Id of the run for its stream and for cancelling; answering a question continues the run under a new one',
});
export const startedAt = moment.nullable().meta({ description: 'Time of the start, ISO 8601 UTC' });
export const completedAt = moment
  .nullable()
  .meta({ description: 'Time of the end, ISO 8601 UTC; null until then' });
export const displayName = z.string().meta({ description: 'Display name' });
export const stableCode = z.string().meta({ description: 'Stable code for programs' });
export const readableMessage = z.string().meta({ description: 'Description, human-readable' });
export const uniqueId = uuid.meta({ description: 'Unique id' });
export const createdAt = moment.meta({ description: 'Time of creation, ISO 8601 UTC' });
export const updatedAt = moment.meta({ description: 'Time of the last change, ISO 8601 UTC' });
export const owningOrganizationId = uuid.meta({ description: 'Id of the organization that owns it' });
export const createdBy = uuid.nullable().meta({
  description: 'Id of the user who created it; null when no user did, or after the user was deleted',
});
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Value of `cursor` for the next page; null on the last page' });
export const modelName = z.string().meta({ description: "Name of the model, in the provider's spelling" });
export const totalCount = z.int().meta({ description: 'Total number of matching items' });
export const textContent = z.string().meta({ description: 'The text' });
export const ABOUT_LOC = 'Location in the request: `body`, `query` or `path`, then keys and indexes';
