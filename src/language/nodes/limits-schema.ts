/** The budget of a run in a definition, as a schema of the OpenAPI document. */
import { COUNTED_DOORS, MAX_LIMIT, ON_LIMIT } from '../graph/definition/limits.ts';
import type { JsonObject } from '../graph/values/value.ts';

export const LIMITS_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    max_credits: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: MAX_LIMIT,
      description:
        'Credits that a run may use; before each call the most that it may take is reserved. Models on credentials of the organization take none',
    },
    max_model_calls: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: MAX_LIMIT,
      description: 'Calls of models, on any account',
    },
    max_effects: {
      type: ['object', 'null'],
      properties: Object.fromEntries(
        COUNTED_DOORS.map((door) => [
          door,
          { type: ['integer', 'null'], minimum: 0, maximum: MAX_LIMIT, description: `Changes by ${door}` },
        ]),
      ),
      additionalProperties: false,
      description: 'Changes outside that a run may make, by door; what only reads is not counted',
    },
    on_limit: {
      type: ['string', 'null'],
      enum: [...ON_LIMIT, null],
      description:
        'Beyond a limit the node fails as `budget_exceeded` (`fail`, the default), or the run waits with a question of kind `budget_limit` whose answer may raise the limit for it (`ask`)',
    },
    assignees: {
      type: ['object', 'null'],
      properties: {
        roles: { type: 'array', items: { type: 'string' }, description: 'Roles in the organization' },
        user_ids: { type: 'array', items: { type: 'string' }, description: 'Ids of users' },
      },
      description: 'The people who may answer that question; null: owners and admins of the organization',
    },
  },
  description:
    'Budget of each run with its sub-workflows, agents and items; see `on_limit` for what happens beyond it. Null: no limit',
};
