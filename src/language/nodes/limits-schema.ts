/** The budget of a run in a definition, as a schema of the OpenAPI document. */
import { COUNTED_DOORS, MAX_LIMIT } from '../graph/definition/limits.ts';
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
  },
  description:
    'Budget of each run with its sub-workflows, agents and items; a node beyond it fails as `budget_exceeded`. Null: no limit',
};
