/** Wire shapes of the integration catalog. */
import { z } from 'zod';
import { jsonObject } from '../../../http/wire.ts';
import { displayName, totalCount } from '../../../http/fields.ts';

const auth = z
  .looseObject({
    type: z.string().meta({ description: 'The `auth_type` of credentials' }),
    required: z.boolean().meta({ description: 'Whether the actions need a credential' }),
    scopes: z.array(z.string()).meta({ description: 'OAuth scopes, requested or granted' }),
    schema: jsonObject.meta({ description: 'JSON Schema of the `data` of credentials' }),
  })
  .meta({ id: 'IntegrationAuth' });
const action = z
  .looseObject({
    name: z.string().meta({ description: 'Name in definitions' }),
    display_name: displayName,
    description: z.string().meta({ description: 'Short description; null or empty: none' }),
    idempotent: z.boolean().meta({ description: 'Whether repeating the action has no further effect' }),
    requires_auth: z.boolean().meta({ description: 'Whether the action needs a credential' }),
  })
  .meta({ id: 'IntegrationActionSummary' });
const fields = {
  name: z.string().meta({ description: 'Name in definitions and credentials' }),
  display_name: displayName,
  description: z.string().meta({ description: 'Short description; null or empty: none' }),
  version: z
    .string()
    .meta({ description: 'Version of the catalog entry; new versions are backward compatible' }),
  category: z.string().meta({ description: 'Category of the integration' }),
  docs_url: z.string().nullable().meta({ description: "URL of the provider's documentation; null: none" }),
  tags: z.array(z.string()).meta({ description: 'Tags to filter by' }),
  base_url: z.string().nullable().meta({
    description:
      'Base URL, unless a credential has its own; `{field}` in it is a field of the credential. Null: none',
  }),
  extra_metadata: jsonObject.meta({ description: 'Free-form metadata' }),
  auth: z.array(auth).meta({ description: 'Authentication of the integration' }),
  connected: z.boolean().meta({ description: 'The organization has an active credential' }),
};

const integrationSummary = z
  .looseObject({
    ...fields,
    actions: z.array(action).meta({ description: 'The actions of the integration' }),
  })
  .meta({ id: 'IntegrationSummary' });
export const integrationDetail = z
  .looseObject({
    ...fields,
    actions: z
      .array(
        z
          .looseObject({
            ...action.shape,
            input_schema: jsonObject.meta({ description: 'JSON Schema of the parameters' }),
            output_schema: jsonObject.meta({ description: 'JSON Schema of the result' }),
          })
          .meta({ id: 'IntegrationAction' }),
      )
      .meta({ description: 'The actions of the integration' }),
  })
  .meta({ id: 'Integration' });
export const integrationList = z
  .looseObject({
    integrations: z
      .array(integrationSummary)
      .meta({ description: 'The matching integrations, in the order of the catalog' }),
    total: totalCount,
  })
  .meta({ id: 'IntegrationList' });

export const integrationQuery = z.object({
  category: z.string().max(64).optional().meta({ description: 'Only integrations of this category' }),
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only workflows with this text in the name or description' }),
});

/** A malformed name is 422, an unknown one 404. */
export const integrationParams = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,63}$/)
    .meta({ description: 'Name of the integration' }),
});
