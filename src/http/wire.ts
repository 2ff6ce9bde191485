/** Schemas that several resources share: identifiers, moments, JSON objects. */
import { z } from 'zod';
import { NODE_ID } from '../graph/definition.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { readIsoMoment } from '../graph/iso8601.ts';

/** A UUID of any version, in the spelling that the database answers with. */
export const uuid = z.guid().toLowerCase();

/** What a path's ids name, where the name of the parameter does not say it. */
const ID_DESCRIPTIONS: Readonly<Record<string, string>> = {
  knowledge_id: 'Id of the knowledge base',
  run_id: 'The `run_id` of the run; each answer to a question begins a new one',
  run_pk: 'The `id` of the run in the history, not its `run_id`',
  other_run_pk: 'The `id` of the other run in the history',
};

/** Path parameters that are all UUIDs. */
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
  node_id: z
    .string()
    .regex(NODE_ID, 'Not the id of a node')
    .meta({ description: 'Id of the node in the draft' }),
});

/** The schema `Json` as the document refers to it. */
export const JSON_REF = { $ref: '#/components/schemas/Json' };

/** Any JSON value. In answers a key with it is always there. */
export const json = z.unknown().meta({
  id: 'Json',
  override: {
    description: 'Any JSON value',
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
      // What is inside is not said again: generators of clients cannot read a schema that refers to itself.
      { type: 'array', items: {} },
      { type: 'object', additionalProperties: {} },
    ],
  },
}) as unknown as z.ZodType<Json>;

/** A definition as it should be written, and as it may have been saved: src/nodes describes both. */
const DEFINITION_REF = { $ref: '#/components/schemas/WorkflowDefinition' };
/** What is saved: a draft may have mistakes, and is told of them in `problems`. */
export const DRAFT_OR_DEFINITION = {
  anyOf: [DEFINITION_REF, { $ref: '#/components/schemas/WorkflowDraft' }],
};

const record = z.record(z.string(), z.unknown());

/** Free-form JSON object: kept as it was sent, in its own order of keys. */
export const jsonObject = record.meta({ id: 'JsonObject' }) as unknown as z.ZodType<JsonObject>;

/** The same with words of its own: what it holds in this place. */
export const describeJsonObject = (meta: { readonly description: string; readonly writeOnly?: boolean }) =>
  record.meta(meta) as unknown as z.ZodType<JsonObject>;

/** A definition to run, of any shape: what is wrong with it is told in the words of the graph. */
export const givenDefinition = record.meta({
  override: { anyOf: [DEFINITION_REF, { $ref: '#/components/schemas/JsonObject' }] },
}) as unknown as z.ZodType<JsonObject>;

/** A definition in an answer: a saved draft may have mistakes. */
export const savedDefinition = record.meta({
  override: DRAFT_OR_DEFINITION,
}) as unknown as z.ZodType<JsonObject>;

/** SPEC API-conventions: ISO 8601 strings, UTC. */
export const moment = z.iso.datetime();

/** Within four-digit years, also in UTC: others have no spelling that clients read. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment of a request in any form of ISO 8601, in UTC where it names no offset; it arrives as `moment` writes it. */
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
    description: 'ISO 8601; without an offset of UTC, a date alone is its beginning',
  });

/** `{success, message}` and whatever a route adds. */
export const success = z
  .looseObject({ success: z.literal(true), message: z.string() })
  .meta({ id: 'Success' });

/** A refusal of shape A, for rows that document one which their guards do not make. */
export const refusal = z.looseObject({ detail: z.string() }).meta({
  id: 'DetailError',
  description: 'Shape A: what is wrong, in words',
  examples: [{ detail: 'Workflow not found' }],
});
