/** Derives what the forms of the page need from the schemas of the definition: which fields a config has, their options and defaults. */
import { describeDefinition } from '../../src/language/nodes/definition-schema.ts';
import { nodeKinds } from '../../src/language/nodes/registry.ts';
import { nameNodeSchema } from '../../src/language/nodes/config-schemas.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../src/language/graph/values/value.ts';

export const SCHEMA_FACTS = 'src/surfaces/web/forms/schema-facts.json';

const schemas = describeDefinition();

/** Follows a reference, and an `anyOf` with null. */
function resolve(schema: Json | undefined): JsonObject {
  if (!isObject(schema)) return {};
  const { $ref: ref, anyOf } = schema;
  if (typeof ref === 'string') return resolve(schemas[ref.slice(ref.lastIndexOf('/') + 1)]);
  if (!Array.isArray(anyOf)) return schema;
  const [only, ...others] = anyOf.filter((one) => !isObject(one) || one['type'] !== 'null');
  return others.length === 0 && only !== undefined ? { ...resolve(only), ...schema } : schema;
}

function readOptions(schema: JsonObject): Json[] | undefined {
  const { enum: options, items } = schema;
  // Null is no option: the field is left empty.
  if (Array.isArray(options)) return options.filter((option) => option !== null);
  return items === undefined ? undefined : readOptions(resolve(items));
}

/** Lists the fields of an object by pointer, with those of the objects in it. */
function listFacts(schema: JsonObject, path = ''): [string, JsonObject][] {
  const properties = ownValue(schema, 'properties');
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, value]) => {
    const inner = resolve(value);
    const options = readOptions(inner);
    const fallback = ownValue(inner, 'default');
    const facts = {
      ...(options === undefined ? {} : { options }),
      ...(fallback === undefined ? {} : { fallback }),
    };
    const own: [string, JsonObject] = [`${path}/${key}`, facts];
    return [own, ...listFacts(inner, `${path}/${key}`)];
  });
}

const describe = (schema: JsonObject): JsonObject => Object.fromEntries(listFacts(schema));

/** Finds the property whose constant tells the alternatives apart. */
const findConstant = (schema: JsonObject): [string, JsonObject] | undefined =>
  Object.entries(resolve(ownValue(schema, 'properties'))).flatMap(([key, value]): [string, JsonObject][] =>
    isObject(value) && value['const'] !== undefined ? [[key, value]] : [],
  )[0];

/** Describes a schema: its fields, or the key that chooses among alternatives and the fields of each. */
function describeSchema(schema: JsonObject): JsonObject {
  const { oneOf, anyOf } = schema;
  const alternatives = Array.isArray(oneOf) ? oneOf : anyOf;
  if (!Array.isArray(alternatives)) return { fields: describe(schema) };
  const described: JsonObject = {};
  const by: JsonObject = {};
  for (const alternative of alternatives.map(resolve)) {
    const [key, constant] = findConstant(alternative) ?? [];
    if (key === undefined || constant === undefined) continue;
    described['key'] = key;
    if (constant['default'] !== undefined) described['fallback'] = constant['default'];
    by[String(constant['const'])] = describe(alternative);
  }
  return { ...described, by };
}

/** An agent's tool: its own options, and the config of its kind. */
function describeAgentTool(): JsonObject {
  const { key, by } = describeSchema({
    oneOf: ['Http', 'Integration', 'Mcp', 'Workflow', 'Knowledge'].map(
      (kind) => schemas[`${kind}ToolConfig`]!,
    ),
  });
  const own = describe(schemas['AgentToolOptions']!);
  return {
    key: key!,
    by: Object.fromEntries(
      Object.entries(by as JsonObject).map(([kind, fields]) => [kind, { ...(fields as JsonObject), ...own }]),
    ),
  };
}

/** @returns the JSON that `schema-facts.json` must contain */
export function schemaFacts(): string {
  const facts: JsonObject = {};
  for (const { type } of nodeKinds) facts[type] = describeSchema(schemas[`${nameNodeSchema(type)}Config`]!);
  facts['agent_tool'] = describeAgentTool();
  facts['check'] = describeSchema(schemas['GuardrailCheck']!);
  const envelope = resolve(schemas[nameNodeSchema('llm')]!);
  const {
    config: _config,
    position: _position,
    mock: _mock,
    ...properties
  } = envelope['properties'] as JsonObject;
  facts['node'] = { fields: describe({ properties }) };
  facts['state_field'] = { fields: describe(schemas['StateField']!) };
  facts['workflow_config'] = { fields: describe(schemas['WorkflowSettings']!) };
  return `${JSON.stringify(facts, null, 2)}\n`;
}
