/** Wire shapes of the integration catalog. */
import { z } from 'zod';
import { jsonObject } from '../../../http/wire.ts';

const auth = z
  .looseObject({
    type: z.string(),
    required: z.boolean(),
    scopes: z.array(z.string()),
    schema: jsonObject,
  })
  .meta({ id: 'IntegrationAuth' });
const action = z
  .looseObject({
    name: z.string(),
    display_name: z.string(),
    description: z.string(),
    idempotent: z.boolean(),
    requires_auth: z.boolean(),
  })
  .meta({ id: 'IntegrationActionSummary' });
const fields = {
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  version: z.string(),
  category: z.string(),
  docs_url: z.string().nullable(),
  tags: z.array(z.string()),
  extra_metadata: jsonObject,
  auth: z.array(auth),
  connected: z.boolean().meta({ description: 'The organization has an active credential' }),
};

const integrationSummary = z
  .looseObject({ ...fields, actions: z.array(action) })
  .meta({ id: 'IntegrationSummary' });
export const integrationDetail = z
  .looseObject({
    ...fields,
    actions: z.array(
      z
        .looseObject({ ...action.shape, input_schema: jsonObject, output_schema: jsonObject })
        .meta({ id: 'IntegrationAction' }),
    ),
  })
  .meta({ id: 'Integration' });
export const integrationList = z
  .looseObject({ integrations: z.array(integrationSummary), total: z.int() })
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
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .meta({ description: 'Name of the integration' }),
});
