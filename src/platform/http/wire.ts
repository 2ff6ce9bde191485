/** Schemas that several resources share: ids, times, JSON values, definitions. */
import { z } from 'zod';
import { NODE_ID } from '../../language/graph/definition/definition.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { readIsoMoment } from '../../language/graph/values/iso8601.ts';

/** A UUID of any version, in lower case as the database returns it. */
export const uuid = z.guid().toLowerCase();

/** Descriptions of path parameters that their names do not explain. */
const ID_DESCRIPTIONS: Readonly<Record<string, string>> = {
  knowledge_id: 'Id of the knowledge base',
  run_id: 'The `run_id` of the run; answering its question continues the run under a new one',
  run_pk: 'The `id` of the run in the history, not its `run_id`',
  other_run_pk: 'The `id` of the other run in the history',
};

/** Creates the schema of path parameters that are UUIDs. */
export function uuidParams<Name extends string>(...names: readonly Name[]): z.ZodType<Record<Name, string>> {
  const shape = Object.fromEntries(
    names.map((name) => {
      const description =
        ID_DESCRIPTIONS[name] ?? `Id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`;
      return [name, uuid.meta({ description })];
    }),
  );
  return z.object(shape) as unknown as z.ZodType<Record<Name, string>>;
}

/** Path parameters of one node of a workflow. */
export const nodeParams = z.object({
  workflow_id: uuid.meta({ description: 'Id of the workflow' }),
  node_id: z.string().regex(NODE_ID, 'Invalid node id').meta({ description: 'Id of the node in the draft' }),
});

/** Reference to the schema `Json`. */
export const JSON_REF = { $ref: '#/components/schemas/Json' };

/**
 * Any JSON value. In answers the key is always present. Has no `anyOf`: generators make a model of it that refers to itself,
 * which does not compile in Go.
 */
export const json = z.unknown().meta({
  id: 'Json',
  override: { description: 'Any JSON value' },
}) as unknown as z.ZodType<Json>;

/** A valid definition; src/language/nodes describes it, and the draft. */
const DEFINITION_REF = { $ref: '#/components/schemas/WorkflowDefinition' };
/** A saved definition: a draft may be invalid, with its errors in `problems`. */
export const DRAFT_OR_DEFINITION = {
  anyOf: [DEFINITION_REF, { $ref: '#/components/schemas/WorkflowDraft' }],
};

/** Any JSON object. Not a record of zod, which copies each of its members. */
const record = z.unknown().superRefine((value, ctx) => {
  if (!isObject(value)) ctx.addIssue({ code: 'invalid_type', expected: 'record', input: value });
});

/** Describes `record`, which has no form that zod could describe. */
const describeObject =
  (more: object = {}) =>
  ({ jsonSchema }: { readonly jsonSchema: object }): void => {
    const told = { ...jsonSchema };
    for (const key of Object.keys(told)) Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, { type: 'object', additionalProperties: JSON_REF }, more, told);
  };

/** Free-form JSON object, stored as sent with its order of keys. */
export const jsonObject = record.meta({
  id: 'JsonObject',
  override: describeObject(),
}) as unknown as z.ZodType<JsonObject>;

/** Creates the schema of a free-form JSON object with its own description. */
export const describeJsonObject = (meta: { readonly description: string; readonly writeOnly?: boolean }) =>
  record.meta({ ...meta, override: describeObject() }) as unknown as z.ZodType<JsonObject>;

/** A definition in a request, of any shape; the graph validates it with its own messages. */
export const givenDefinition = record.meta({
  override: describeObject({ anyOf: [DEFINITION_REF, { $ref: '#/components/schemas/JsonObject' }] }),
}) as unknown as z.ZodType<JsonObject>;

/** A definition in an answer; a saved draft may be invalid. */
export const savedDefinition = record.meta({
  override: describeObject(DRAFT_OR_DEFINITION),
}) as unknown as z.ZodType<JsonObject>;

/** SPEC API-conventions: ISO 8601 strings, UTC. */
export const moment = z.iso.datetime();

/** Times must be within four-digit years in UTC, which all clients can read. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** A time of a request in any form of ISO 8601, UTC without an offset; it is parsed to the form of `moment`. */
export const anyMoment = z
  .string()
  .transform((text, ctx): string => {
    const at = readIsoMoment(text);
    if (at !== null && at >= FIRST_MOMENT && at <= LAST_MOMENT) return new Date(at).toISOString();
    ctx.addIssue(
      at === null
        ? { code: 'custom', message: 'Invalid ISO 8601 date', params: { type: 'datetime_parsing' } }
        : { code: 'custom', message: 'Must be before the year 10000', params: { type: 'datetime_range' } },
    );
    return z.NEVER;
  })
  .meta({
    override: { type: 'string', format: 'date-time' },
    description: 'ISO 8601; UTC when it has no offset; a date means its start',
  });

/** `{success, message}`; routes may add fields. */
export const success = z
  // Always true. Not a literal: a generator for Rust would give the enum of one value the name of the schema.
  .looseObject({
    success: z.boolean().meta({ description: 'Whether the operation succeeded' }),
    message: z.string().meta({ description: 'Description of the result, human-readable' }),
  })
  .meta({ id: 'Success' });

/** An error of shape A, for routes that document errors of their handlers. */
export const refusal = z
  .looseObject({ detail: z.string().meta({ description: 'Description of the error' }) })
  .meta({
    id: 'DetailError',
    description: 'Shape A: the error as text',
    examples: [{ detail: 'Workflow not found' }],
  });
