/**
 * The configs of nodes as schemas of the OpenAPI document, made from what the kinds parse with. The references to them
 * are written here, too.
 */
import { z } from 'zod';
import type { JsonObject } from '../graph/value.ts';
import { agentTool, agentToolOptions } from './agent/agent-tool.ts';
import { ruleCase } from './conditional.ts';
import { guardrailCheck } from './guardrails/guardrails.ts';
import { searchTool } from './knowledge.ts';
import { anyJson, jsonObject, jsonSchema, ruleGroup } from './read-config.ts';
import { nodeKinds } from './registry.ts';

export const refTo = (id: string) => ({ $ref: `#/components/schemas/${id}` });
export const JSON_VALUE = refTo('Json');
export const freeForm = (description?: string): JsonObject => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  additionalProperties: JSON_VALUE,
});
const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
export const nodeName = (type: string): string => `${pascal(type)}Node`;

/** Alternatives that a word tells apart: names of schemas by word. */
export const oneOfBy = (propertyName: string, names: ReadonlyMap<string, string>): JsonObject => ({
  oneOf: [...names.values()].map(refTo),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries([...names].map(([word, name]) => [word, refTo(name).$ref])),
  },
});

const TOOL_KINDS = ['http', 'integration', 'mcp', 'workflow', 'knowledge'] as const;

/**
 * Said of each part of an `allOf`: without it, readers that close open objects find the fields of the other parts too much.
 */
export const PART_OF_A_WHOLE = { unevaluatedProperties: true };

/** What zod cannot show, because code reads it. */
const SHOWN: ReadonlyMap<z.ZodType, JsonObject> = new Map<z.ZodType, JsonObject>([
  [anyJson, JSON_VALUE],
  [jsonObject, freeForm()],
  [jsonSchema, freeForm('JSON Schema')],
  [ruleGroup, refTo('Rules')],
  [
    ruleCase,
    {
      allOf: [
        {
          type: 'object',
          ...PART_OF_A_WHOLE,
          required: ['id'],
          properties: {
            id: {
              type: 'string',
              minLength: 1,
              maxLength: 64,
              description: 'The handle that the case selects',
            },
            label: { type: 'string' },
          },
        },
        { anyOf: [refTo('RuleGroup'), refTo('Rule')] },
      ],
    },
  ],
  [
    agentTool,
    {
      allOf: [
        refTo('AgentToolOptions'),
        oneOfBy('kind', new Map(TOOL_KINDS.map((kind) => [kind, `${pascal(kind)}ToolConfig`]))),
      ],
    },
  ],
]);

/** The alternatives of a config, wherever refinements and preprocessing have put them. */
function unionOf(schema: z.ZodType): z.ZodDiscriminatedUnion | null {
  if (schema instanceof z.ZodPipe) return unionOf(schema.out as z.ZodType);
  return schema instanceof z.ZodDiscriminatedUnion ? schema : null;
}

/** The word by which an alternative is chosen: `http` of a tool. */
function wordOf(option: z.core.$ZodType, key: string): string {
  const [word] = option._zod.propValues?.[key] ?? [];
  return String(word);
}

/** Schemas by the name that they have in the document. */
function namedConfigs(): Map<string, z.ZodType> {
  const named = new Map<string, z.ZodType>([
    ['AgentToolOptions', agentToolOptions],
    ['AgentTool', agentTool],
    ['KnowledgeToolConfig', searchTool],
    ['GuardrailCheck', guardrailCheck],
  ]);
  for (const { type, config } of nodeKinds) named.set(`${nodeName(type)}Config`, config);
  const unions = nodeKinds.map(({ type, config }) => [pascal(type), 'Config', config] as const);
  for (const [type, suffix, schema] of [...unions, ['Guardrail', 'Check', guardrailCheck] as const]) {
    const union = unionOf(schema);
    if (union === null) continue;
    for (const option of union.options)
      named.set(`${pascal(wordOf(option, union.def.discriminator))}${type}${suffix}`, option as z.ZodType);
  }
  return named;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** As the rest of the document says it: open objects, formats without their patterns, integers without the bounds of doubles. */
function shorten(schema: JsonSchema, type: z.core.$ZodTypeDef['type']): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (type === 'object') delete schema.additionalProperties;
  if (type === 'record') delete schema.propertyNames;
}

/** Alternatives by a word are told apart by a discriminator, as generators of clients want it. */
function discriminate(schema: JsonSchema, zodSchema: z.core.$ZodTypes): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'union' || !('discriminator' in def)) return;
  const options = schema.oneOf ?? schema.anyOf ?? [];
  delete schema.anyOf;
  schema.oneOf = options;
  const key = String(def.discriminator);
  const entries = def.options.map((option, at) => [wordOf(option, key), options[at]?.$ref]);
  if (entries.every(([, ref]) => ref !== undefined))
    schema['discriminator'] = {
      propertyName: key,
      mapping: Object.fromEntries(entries) as Record<string, string>,
    };
}

/** A tuple of one kind of items as a list of their number: generators of clients cannot read `items: false`. */
function plainTuple(schema: z.core.JSONSchema.BaseSchema): void {
  const { prefixItems: items } = schema;
  const [first] = items ?? [];
  if (items === undefined || first === undefined) return;
  delete schema.prefixItems;
  Object.assign(schema, { items: first, minItems: items.length, maxItems: items.length });
}

/** The configs of all kinds, and their alternatives, by name. */
export function configSchemas(): Record<string, JsonObject> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of namedConfigs()) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => refTo(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = SHOWN.get(zodSchema as unknown as z.ZodType);
      if (shown !== undefined) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, shown);
      }
      shorten(jsonSchema, zodSchema._zod.def.type);
      plainTuple(jsonSchema);
      discriminate(jsonSchema, zodSchema);
    },
  });
  for (const name of ['AgentToolOptions', ...TOOL_KINDS.map((kind) => `${pascal(kind)}ToolConfig`)])
    Object.assign(schemas[name] ?? {}, PART_OF_A_WHOLE);
  // Left out, `mode` is `rules`: what may be missing tells nothing apart.
  const conditional = schemas['ConditionalNodeConfig'];
  if (conditional?.oneOf !== undefined) {
    conditional.anyOf = conditional.oneOf;
    delete conditional.oneOf;
    delete conditional['discriminator'];
  }
  const rules = schemas['RulesConditionalConfig'];
  if (rules?.required !== undefined) rules.required = rules.required.filter((key) => key !== 'mode');
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [
      id,
      schema as JsonObject,
    ]),
  );
}
