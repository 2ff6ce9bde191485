/** Wire shapes of deployments (SPEC API-deployments). */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { jsonObject, moment, savedDefinition, success, uuid } from '../../../platform/http/wire.ts';

export const deployRequest = z
  .object({
    deployment_note: z.string().max(5_000).nullish(),
    /** Never fetched by this service; clients show it, so only web addresses are taken (SPEC SEC-G15). */
    schema_image_url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullish(),
  })
  .meta({ id: 'DeployRequest' });
export type DeployRequest = z.output<typeof deployRequest>;

/** SPEC API-limits: deployment list limit, default 20. */
export const deploymentListQuery = z.object(offsetPage(20));

const rowFields = {
  id: uuid,
  name: z.string(),
  version: z.string(),
  deployment_note: z.string().nullable(),
  schema_image_url: z.string().nullable(),
  deployed_by: uuid.nullable(),
  is_live: z.boolean(),
  created_at: moment,
};

export const deployment = z
  .looseObject({ ...rowFields, workflow_id: uuid, description: z.string().nullable() })
  .meta({ id: 'Deployment' });

export const deploymentDetail = z
  .looseObject({
    ...rowFields,
    workflow_id: uuid,
    description: z.string().nullable(),
    workflow_schema: savedDefinition,
    input: jsonObject,
    config: jsonObject,
  })
  .meta({ id: 'DeploymentDetail' });

export const deploymentList = z
  .looseObject({
    deployments: z.array(z.looseObject(rowFields).meta({ id: 'DeploymentListItem' })),
    total: z.int(),
    ...pageOfList,
  })
  .meta({ id: 'DeploymentList' });

export const activated = success
  .extend({
    deployment_id: uuid,
    previous_live_deployment_id: uuid.optional(),
  })
  .meta({ id: 'DeploymentActivated' });
export const deactivated = success
  .extend({ previous_live_deployment_id: uuid.optional() })
  .meta({ id: 'DeploymentDeactivated' });
export const deleted = success
  .extend({
    deleted_deployment_id: uuid,
    was_live: z.boolean(),
    new_live_deployment_id: uuid.optional(),
  })
  .meta({ id: 'DeploymentDeleted' });
