/** Describes the configs of nodes for the OpenAPI document, from the zod schemas that parse them. */
import { z } from 'zod';
import type { Json, JsonObject } from '../graph/values/value.ts';
import { agentTool, agentToolOptions } from './agent/agent-tool.ts';
import { ruleCase } from './conditional/conditional.ts';
import { confirmation } from './confirm/confirmation.ts';
import { guardrailCheck } from './guardrails/check.ts';
import { searchTool } from './knowledge/knowledge.ts';
import { anyJson, jsonObject, jsonSchema, ruleGroup } from './read-config.ts';
import { nodeKinds } from './registry.ts';
import { ruleList } from './tool/answer-rules.ts';
import { scheduleTrigger } from './triggers/schedule.ts';
import { webhookTrigger } from './triggers/webhook.ts';

/** Creates a reference to a schema of the document. @param description of the field with it */
export const createRef = (id: string, description?: string) => ({
  $ref: `#/components/schemas/${id}`,
  ...(description === undefined ? {} : { description }),
});
export const JSON_VALUE = createRef('Json');
/** Describes a field with any JSON value. */
export const describeJson = (description: string) => createRef('Json', description);
/** Describes an object with any fields. */
export const describeFreeForm = (description?: string): JsonObject => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  additionalProperties: JSON_VALUE,
});
const toPascalCase = (text: string): string =>
  text.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
/** Returns the name of a node type's schema, for example `LlmNode`. */
export const nameNodeSchema = (type: string): string => `${toPascalCase(type)}Node`;

/** Describes a union with a discriminator. @param names the name of the schema for each value of the discriminator */
export const describeOneOf = (propertyName: string, names: ReadonlyMap<string, string>): JsonObject => ({
  oneOf: [...names.values()].map((name) => createRef(name)),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries([...names].map(([value, name]) => [value, createRef(name).$ref])),
  },
});

const TOOL_KINDS = ['http', 'integration', 'mcp', 'workflow', 'knowledge'] as const;

/** Added to each part of an `allOf`: a tool that closes open objects would reject the fields of the other parts. */
export const OPEN_TO_OTHER_PARTS = { unevaluatedProperties: true };

/** Descriptions of the schemas that zod cannot describe, because code parses them. */
const HAND_WRITTEN: ReadonlyMap<z.ZodType, JsonObject> = new Map<z.ZodType, JsonObject>([
  [anyJson, JSON_VALUE],
  [jsonObject, describeFreeForm()],
  [jsonSchema, describeFreeForm('JSON Schema')],
  [ruleGroup, createRef('Rules')],
  [ruleList, { type: 'array', items: { anyOf: [createRef('RuleGroup'), createRef('Rule')] } }],
  [
    ruleCase,
    {
      allOf: [
        {
          type: 'object',
          ...OPEN_TO_OTHER_PARTS,
          required: ['id'],
          properties: {
            id: {
              type: 'string',
              minLength: 1,
              maxLength: 64,
              description: 'The handle of the case',
            },
            label: { type: 'string', description: 'Display name' },
          },
        },
        { anyOf: [createRef('RuleGroup'), createRef('Rule')] },
      ],
    },
  ],
  [
    agentTool,
    {
      allOf: [
        createRef('AgentToolOptions'),
        describeOneOf('kind', new Map(TOOL_KINDS.map((kind) => [kind, `${toPascalCase(kind)}ToolConfig`]))),
      ],
    },
  ],
]);

/** Finds the description of a schema that code parses; a field with a description of its own is a copy of its schema. */
function findWritten(schema: z.ZodType): JsonObject | undefined {
  const parent = schema._zod.parent as z.ZodType | undefined;
  return HAND_WRITTEN.get(schema) ?? (parent === undefined ? undefined : findWritten(parent));
}

/** Finds the union of a config below its refinements and preprocessing; null for a config that is none. */
function findUnion(schema: z.ZodType): z.ZodDiscriminatedUnion | null {
  if (schema instanceof z.ZodPipe) return findUnion(schema.out as z.ZodType);
  return schema instanceof z.ZodDiscriminatedUnion ? schema : null;
}

/** The value of the discriminator that selects an alternative, for example `http`. */
function readDiscriminator(option: z.core.$ZodType, key: string): string {
  const [value] = option._zod.propValues?.[key] ?? [];
  return String(value);
}

/** Lists the schemas by their names in the document, alternatives of unions with names of their own. */
function listNamedConfigs(): Map<string, z.ZodType> {
  const named = new Map<string, z.ZodType>([
    ['AgentToolOptions', agentToolOptions],
    ['AgentTool', agentTool],
    ['KnowledgeToolConfig', searchTool],
    ['GuardrailCheck', guardrailCheck],
    ['NodeConfirmation', confirmation],
    ['WebhookTrigger', webhookTrigger],
    ['ScheduleTrigger', scheduleTrigger],
  ]);
  for (const { type, config } of nodeKinds) named.set(`${nameNodeSchema(type)}Config`, config);
  const configs = nodeKinds.map(({ type, config }) => [toPascalCase(type), 'Config', config] as const);
  for (const [type, suffix, schema] of [...configs, ['Guardrail', 'Check', guardrailCheck] as const]) {
    const union = findUnion(schema);
    if (union === null) continue;
    for (const option of union.options)
      named.set(
        `${toPascalCase(readDiscriminator(option, union.def.discriminator))}${type}${suffix}`,
        option as z.ZodType,
      );
  }
  return named;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Removes the keywords that other schemas of the document do not have: closed objects, patterns of formats, bounds of doubles. */
function removeDefaults(schema: JsonSchema, type: z.core.$ZodTypeDef['type']): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (type === 'object') delete schema.additionalProperties;
  if (type === 'record') delete schema.propertyNames;
}

/** Adds a discriminator to a union, for generators of clients. */
function addDiscriminator(schema: JsonSchema, zodSchema: z.core.$ZodTypes): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'union' || !('discriminator' in def)) return;
  const options = schema.oneOf ?? schema.anyOf ?? [];
  delete schema.anyOf;
  schema.oneOf = options;
  const key = String(def.discriminator);
  const entries = def.options.map((option, at) => [readDiscriminator(option, key), options[at]?.$ref]);
  if (entries.every(([, ref]) => ref !== undefined))
    schema['discriminator'] = {
      propertyName: key,
      mapping: Object.fromEntries(entries) as Record<string, string>,
    };
}

/** Describes a tuple of equal items as an array of that length: generators of clients cannot read `items: false`. */
function flattenTuple(schema: JsonSchema): void {
  const { prefixItems: items } = schema;
  const [first] = items ?? [];
  if (items === undefined || first === undefined) return;
  delete schema.prefixItems;
  Object.assign(schema, { items: first, minItems: items.length, maxItems: items.length });
}

/** Takes the description that a schema has of its own, because code parses it. */
function takeOverride(schema: JsonSchema): void {
  const { override } = schema as { override?: JsonSchema };
  if (override === undefined) return;
  delete schema['override'];
  Object.assign(schema, override);
}

/** Schemas that the routes describe, too, by their name in the document. */
const SHARED = '__shared#/$defs/';
const nameShared = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema), (key, value: Json) =>
    key === '$ref' && typeof value === 'string' ? value.replace(SHARED, '') : value,
  ) as JsonObject;

/** Describes the configs of all kinds and their alternatives, by name. */
export function describeConfigs(): Record<string, JsonObject> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of listNamedConfigs()) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => createRef(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      const written = findWritten(zodSchema as unknown as z.ZodType);
      if (written !== undefined) {
        const { description } = jsonSchema;
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, written, description === undefined ? {} : { description });
      }
      takeOverride(jsonSchema);
      removeDefaults(jsonSchema, zodSchema._zod.def.type);
      flattenTuple(jsonSchema);
      addDiscriminator(jsonSchema, zodSchema);
    },
  });
  for (const name of ['AgentToolOptions', ...TOOL_KINDS.map((kind) => `${toPascalCase(kind)}ToolConfig`)])
    Object.assign(schemas[name] ?? {}, OPEN_TO_OTHER_PARTS);
  // A missing `mode` means `rules`, so it cannot be a discriminator.
  const conditional = schemas['ConditionalNodeConfig'];
  if (conditional?.oneOf !== undefined) {
    conditional.anyOf = conditional.oneOf;
    delete conditional.oneOf;
    delete conditional['discriminator'];
  }
  const rules = schemas['RulesConditionalConfig'];
  if (rules?.required !== undefined) rules.required = rules.required.filter((key) => key !== 'mode');
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([id]) => id !== '__shared')
      .map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, nameShared(schema as JsonObject)]),
  );
}
