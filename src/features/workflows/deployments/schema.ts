/** Wire shapes of deployments (SPEC API-deployments). */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { jsonObject, savedDefinition, success, uuid } from '../../../platform/http/wire.ts';
import {
  readableMessage,
  createdAt,
  totalCount,
  uniqueId,
  workflowId,
} from '../../../platform/http/fields.ts';
import { shortDescription } from '../fields.ts';

const previousLiveDeploymentId = uuid.optional().meta({
  description: 'Id of the deployment that was live before; absent when there was none, or nothing changed',
});
const ABOUT_SCHEMA_IMAGE_URL = 'URL of an image of the canvas, not fetched by the service; null: none';

export const deployRequest = z
  .object({
    deployment_note: z
      .string()
      .max(5_000)
      .nullish()
      .meta({ description: 'Note of the user who deployed it; null: none' }),
    /** Never fetched by this service; clients show it, so only web addresses are taken (SPEC SEC-G15). */
    schema_image_url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullish()
      .meta({ description: ABOUT_SCHEMA_IMAGE_URL }),
    expected_definition_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullish()
      .meta({
        description:
          '`definition_hash` of the sheet that was looked at: a draft that has changed since is 409 and not deployed; null: whatever the draft is',
      }),
  })
  .meta({ id: 'DeployRequest' });
export type DeployRequest = z.output<typeof deployRequest>;

/** SPEC API-limits: deployment list limit, default 20. */
export const deploymentListQuery = z.object(offsetPage(20));

const rowFields = {
  id: uniqueId,
  name: z.string().meta({ description: 'Name of the workflow at the time of the deployment' }),
  version: z
    .string()
    .meta({ description: 'Version of the snapshot; each deployment raises the major number: 1.0.0, 2.0.0' }),
  deployment_note: z
    .string()
    .nullable()
    .meta({ description: 'Note of the user who deployed it; null: none' }),
  schema_image_url: z.string().nullable().meta({ description: ABOUT_SCHEMA_IMAGE_URL }),
  deployed_by: uuid
    .nullable()
    .meta({ description: 'Id of the user who deployed it, also after the user was deleted' }),
  is_live: z
    .boolean()
    .meta({ description: 'Whether new runs of the workflow use it; at most one deployment is live' }),
  created_at: createdAt,
};

export const deployment = z
  .looseObject({ ...rowFields, workflow_id: workflowId, description: shortDescription })
  .meta({ id: 'Deployment' });

export const deploymentDetail = z
  .looseObject({
    ...rowFields,
    workflow_id: workflowId,
    description: shortDescription,
    workflow_schema: savedDefinition.meta({ description: 'The definition: the graph of nodes and edges' }),
    input: jsonObject.meta({ description: 'Default input of runs at the time of the deployment' }),
    config: jsonObject.meta({ description: 'Default settings of runs at the time of the deployment' }),
  })
  .meta({ id: 'DeploymentDetail' });

export const deploymentList = z
  .looseObject({
    deployments: z
      .array(z.looseObject(rowFields).meta({ id: 'DeploymentListItem' }))
      .meta({ description: 'The deployments of this page, newest first' }),
    total: totalCount,
    ...pageOfList,
  })
  .meta({ id: 'DeploymentList' });

export const activated = success
  .extend({
    message: readableMessage,
    deployment_id: uuid.meta({ description: 'Id of the deployment that is live now' }),
    previous_live_deployment_id: previousLiveDeploymentId,
  })
  .meta({ id: 'DeploymentActivated' });
export const deactivated = success
  .extend({
    message: readableMessage,
    previous_live_deployment_id: previousLiveDeploymentId,
  })
  .meta({ id: 'DeploymentDeactivated' });
export const deleted = success
  .extend({
    message: readableMessage,
    deleted_deployment_id: uuid.meta({ description: 'Id of the deleted deployment' }),
    was_live: z.boolean().meta({ description: 'Whether the deleted deployment was live' }),
    new_live_deployment_id: uuid
      .optional()
      .meta({ description: 'Id of the deployment that is live now; absent when there is none' }),
  })
  .meta({ id: 'DeploymentDeleted' });
