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
  name: name.optional(),
  description: description.nullable().optional(),
  version: version.optional(),
  tags: tags.optional(),
  category: category.nullable().optional(),
  status: status.optional(),
  visibility: visibility.optional(),
  input: jsonObject.optional(),
  config: jsonObject.optional(),
});

/** PATCH and PUT: every field optional; fields that are not listed change nothing. */
export const workflowUpdate = mutable
  .extend({
    workflow_schema: definition.optional(),
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
  .extend({ workflow_schema: definition, organization_id: uuid.nullish() })
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
  id: uuid,
  name: z.string(),
  description: z.string().nullable(),
  version: z.string().nullable(),
  status,
  visibility: seen,
  category: z.string().nullable(),
  tags: z.array(z.string()),
  creator_id: uuid.nullable(),
  created_at: moment,
  updated_at: moment,
};
const workflowSummary = z.looseObject(summaryFields).meta({ id: 'WorkflowSummary' });

const problem = z
  .looseObject({
    severity: z.enum(['error', 'warning']),
    code: z.string(),
    message: z.string(),
    path: z.array(z.union([z.string(), z.int()])),
    node_id: z.string().optional(),
  })
  .meta({ id: 'DefinitionProblem' });

export const workflow = z
  .looseObject({
    ...summaryFields,
    organization_id: uuid,
    workflow_schema: savedDefinition,
    input: jsonObject,
    config: jsonObject,
    edit_version: z.int().nullable(),
    last_edited_by: uuid.nullable(),
    last_edited_at: moment.nullable(),
    live_deployment_id: uuid.nullable(),
    problems: z.array(problem).meta({ description: 'Errors and warnings of the saved definition' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'Workflow' });

const workflowUsers = z.array(
  z.looseObject({ workflow_id: uuid, name: z.string(), is_live: z.boolean() }).meta({ id: 'WorkflowUser' }),
);
export const workflowUsage = z.looseObject({ used_by: workflowUsers }).meta({ id: 'WorkflowUsage' });
export const deletedWorkflow = success
  .extend({ used_by: workflowUsers.optional() })
  .meta({ id: 'WorkflowDeleted' });

export const workflowList = z
  .looseObject({
    workflows: z.array(workflowSummary),
    total: z.int(),
    page: z.int().optional(),
    page_size: z.int().optional(),
    total_pages: z.int().optional(),
    limit: z.int().optional(),
    next_cursor: cursors.next_cursor.optional(),
    previous_cursor: cursors.previous_cursor.optional(),
  })
  .meta({ id: 'WorkflowList' });
