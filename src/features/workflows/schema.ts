/** Wire shapes of workflows (SPEC API-workflow). Bounds of text lengths are ours. */
import { z } from 'zod';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { isObject, type JsonObject } from '../../language/graph/values/value.ts';
import { PARSING } from '../../platform/http/issues.ts';
import { cursors, eitherCursor, integer, pageNumber, pageSize } from '../../platform/http/paginate.ts';
import {
  DRAFT_OR_DEFINITION,
  jsonObject,
  moment,
  savedDefinition,
  success,
  uuid,
} from '../../platform/http/wire.ts';
import {
  readableMessage,
  chosenOrganizationId,
  createdAt,
  displayName,
  owningOrganizationId,
  stableCode,
  uniqueId,
  updatedAt,
} from '../../platform/http/fields.ts';
import { shortDescription } from './fields.ts';

const ABOUT_STATUS = 'A label without effect on runs; archived workflows are not offered to the Assistant';
const ABOUT_VISIBILITY =
  'Visibility: `private` has the effect of `organization`; `system` is reserved for the operator';
const ABOUT_CONFIG = 'Default settings of runs; copied into each deployment';

const name = z.string().min(1).max(255);
const description = z.string().max(20_000);
const version = z.string().min(1).max(64);
const tags = z.array(z.string().min(1).max(100)).max(100);
const category = z.string().max(255);
const status = z.enum(['draft', 'active', 'archived']);
/** `system` belongs to the operator: a tenant may filter by it but not set it. */
const visibility = z.enum(['private', 'organization', 'public']);
const seen = z.enum(['private', 'organization', 'public', 'system']);

/** Any JSON array; one of zod would visit each item. */
const list = z.unknown().superRefine((value, ctx) => {
  if (!Array.isArray(value)) ctx.addIssue({ code: 'invalid_type', expected: 'array', input: value });
});

/**
 * The shape that saving requires; other problems are reported, and refused at the deploy. Its objects are not loose: zod would copy
 * all keys of a value that is passed on unchanged.
 */
const definitionShape = z.object({
  metadata: z
    .object({
      name: name.optional(),
      description: description.nullish(),
      version: version.nullish(),
      tags: tags.nullish(),
    })
    .optional(),
  config: jsonObject.optional(),
  nodes: list,
  edges: list,
});

/** Checked by the shape and passed on unchanged: an object schema would reorder the keys. */
const definition = z
  .unknown()
  .superRefine((value, ctx) => {
    const checked = definitionShape.safeParse(value, PARSING);
    for (const issue of checked.error?.issues ?? []) ctx.addIssue({ ...issue });
  })
  .meta({ override: DRAFT_OR_DEFINITION }) as unknown as z.ZodType<JsonObject>;

const mutable = z.object({
  name: name.optional().meta({ description: 'Display name' }),
  description: description
    .nullable()
    .optional()
    .meta({ description: 'Short description; null or empty: none' }),
  version: version.optional().meta({ description: 'Version label, such as 1.0.0; null: none' }),
  tags: tags.optional().meta({ description: 'Tags to filter by' }),
  category: category.nullable().optional().meta({ description: 'Category to filter by; null: none' }),
  status: status.optional().meta({ description: ABOUT_STATUS }),
  visibility: visibility.optional().meta({ description: ABOUT_VISIBILITY }),
  input: jsonObject.optional().meta({ description: 'Default input of runs; copied into each deployment' }),
  config: jsonObject.optional().meta({ description: ABOUT_CONFIG }),
});

/** PATCH and PUT: every field optional; fields that are not listed change nothing. */
export const workflowUpdate = mutable
  .extend({
    workflow_schema: definition
      .optional()
      .meta({ description: 'The definition: the graph of nodes and edges' }),
    expected_edit_version: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'The `edit_version` that the change is based on; 409 when it is another by now' }),
  })
  .meta({ id: 'WorkflowUpdate' });
export type WorkflowUpdate = z.output<typeof workflowUpdate>;

/** JSON Schema of an object that requires the field with this value. */
const requires = <Value>(field: string, value: Value) => ({
  required: [field],
  properties: { [field]: value },
});
const NAMED_DEFINITION = requires(
  'workflow_schema',
  requires('metadata', requires('name', { type: 'string' as const })),
);

/** POST: a name, here or in the definition's metadata, and a definition. */
export const newWorkflow = mutable
  .extend({
    name: name
      .optional()
      .meta({ description: 'Name of the workflow; required here or in the metadata of the definition' }),
    workflow_schema: definition.meta({ description: 'The definition: the graph of nodes and edges' }),
    organization_id: chosenOrganizationId,
  })
  .superRefine((body, ctx) => {
    const { metadata } = isObject(body.workflow_schema) ? body.workflow_schema : {};
    if (body.name !== undefined || (isObject(metadata) && typeof metadata['name'] === 'string')) return;
    ctx.addIssue({ code: 'custom', path: ['name'], message: 'Field required', params: { type: 'missing' } });
  })
  // No `anyOf`: generators of clients make a model of each alternative, and cannot of this one.
  .meta({
    id: 'CreateWorkflow',
    override: ({ jsonSchema }) =>
      void Object.assign(jsonSchema, {
        if: { properties: { name: {} }, required: ['name'] },
        else: NAMED_DEFINITION,
      }),
  });
export type NewWorkflow = z.output<typeof newWorkflow>;

export const pinBody = z
  .strictObject({
    run_pk: uuid.meta({ description: 'Id, in the history, of the run with the output' }),
    visit: z
      .int()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: 'Number of the visit of the node, in a loop; the last by default' }),
  })
  .meta({ id: 'NodePin' });

export const workflowListQuery = z.object({
  page: pageNumber,
  page_size: pageSize,
  limit: integer(1, 100).optional().meta({
    description: 'Items per page, which `cursor` selects in place of `page`; 20 with a cursor alone',
  }),
  cursor: eitherCursor,
  status: status.optional().meta({ description: 'Only workflows in this status' }),
  category: z.string().max(255).optional().meta({ description: 'Only workflows of this category' }),
  visibility: seen.optional().meta({ description: 'Only workflows of this visibility' }),
  search: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'Only workflows with this text in the name or description' }),
});
export type ListQuery = z.output<typeof workflowListQuery>;

const summaryFields = {
  id: uniqueId,
  name: displayName,
  description: shortDescription,
  version: z.string().nullable().meta({ description: 'Version label, such as 1.0.0; null: none' }),
  status: status.meta({ description: ABOUT_STATUS }),
  visibility: seen.meta({ description: ABOUT_VISIBILITY }),
  category: z.string().nullable().meta({ description: 'Category to filter by; null: none' }),
  tags: z.array(z.string()).meta({ description: 'Tags to filter by' }),
  creator_id: uuid
    .nullable()
    .meta({ description: 'Id of the user who created it; null after the user was deleted' }),
  created_at: createdAt,
  updated_at: updatedAt,
};
const liveDeploymentId = uuid.nullable().meta({ description: 'Id of the live deployment; null: none' });
const workflowSummary = z
  .looseObject({ ...summaryFields, live_deployment_id: liveDeploymentId })
  .meta({ id: 'WorkflowSummary' });

const problem = z
  .looseObject({
    severity: z
      .enum(['error', 'warning'])
      .meta({ description: 'An error prevents deployments and runs; a warning does not' }),
    code: stableCode,
    message: z.string().meta({ description: 'Description of the problem, human-readable' }),
    path: z
      .array(z.union([z.string(), z.int()]))
      .meta({ description: 'Path to the problem in the definition: keys and indexes' }),
    node_id: z
      .string()
      .optional()
      .meta({ description: 'Id of the node with the problem; absent when it concerns no node' }),
  })
  .meta({ id: 'DefinitionProblem' });

export const workflow = z
  .looseObject({
    ...summaryFields,
    organization_id: owningOrganizationId,
    workflow_schema: savedDefinition.meta({ description: 'The definition: the graph of nodes and edges' }),
    input: jsonObject.meta({ description: 'Default input of runs; copied into each deployment' }),
    config: jsonObject.meta({ description: ABOUT_CONFIG }),
    edit_version: z
      .int()
      .nullable()
      .meta({ description: 'Number of saved edits, from 0; independent of `version`' }),
    last_edited_by: uuid.nullable().meta({
      description: 'Id of the user of the last edit; null without edits, or after the user was deleted',
    }),
    last_edited_at: moment
      .nullable()
      .meta({ description: 'Time of the last saved edit, ISO 8601 UTC; null without edits' }),
    live_deployment_id: liveDeploymentId,
    problems: z.array(problem).meta({ description: 'Errors and warnings of the saved definition' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'Workflow' });

const workflowUsers = z.array(
  z
    .looseObject({
      workflow_id: uuid.meta({ description: 'Id of a workflow that uses this one as a sub-workflow' }),
      name: z.string().meta({ description: 'Name of that workflow' }),
      is_live: z
        .boolean()
        .meta({ description: 'Whether its live deployment uses this workflow, and not only its draft' }),
    })
    .meta({ id: 'WorkflowUser' }),
);
export const workflowUsage = z
  .looseObject({
    used_by: workflowUsers.meta({
      description: 'Workflows that use it as a sub-workflow, those with a live deployment first; at most 100',
    }),
  })
  .meta({ id: 'WorkflowUsage' });
export const deletedWorkflow = success
  .extend({
    message: readableMessage,
    used_by: workflowUsers
      .optional()
      .meta({ description: 'Workflows that still use it as a sub-workflow; absent when there are none' }),
  })
  .meta({ id: 'WorkflowDeleted' });

export const workflowList = z
  .looseObject({
    workflows: z.array(workflowSummary).meta({ description: 'The workflows of this page, or all of them' }),
    total: z.int().meta({ description: 'Total number of matching workflows' }),
    page: z
      .int()
      .optional()
      .meta({ description: 'Number of this page, from 1; only when `page_size` was sent' }),
    page_size: z
      .int()
      .optional()
      .meta({ description: 'Maximum number of items on a page; only when it was sent' }),
    total_pages: z
      .int()
      .optional()
      .meta({ description: 'Total number of pages; only when `page_size` was sent' }),
    limit: z.int().optional().meta({ description: 'Maximum number of items on a page' }),
    next_cursor: cursors.next_cursor
      .optional()
      .meta({ description: 'Value of `cursor` for the next page; null on the last page' }),
    previous_cursor: cursors.previous_cursor
      .optional()
      .meta({ description: 'Value of `cursor` for the page before this one; null on the first page' }),
  })
  .meta({ id: 'WorkflowList' });
