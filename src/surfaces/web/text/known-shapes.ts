/** The outputs of nodes that have not run: what their kind always returns, and what a schema of their config or their action declares. */
import { getAt } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { listProperties } from '../forms/schema-edits.ts';

/** Of a tool by its `kind`. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  http: ['data', 'status', 'headers'],
  integration: ['data'],
};
const KINDS: Readonly<Record<string, readonly string[]>> = {
  llm: ['content', 'data', 'usage'],
  agent: ['content', 'data', 'tool_calls', 'usage'],
  conditional: ['selected', 'matched'],
  interrupt: ['action', 'data', 'responded_by', 'responded_at', 'timed_out'],
  guardrails: ['passed', 'text', 'violations'],
  knowledge: ['matches', 'total_matches', 'context'],
};
const LIST: readonly string[] = ['items', 'count'];
/** Of a transformer by its mode. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  list: LIST,
  group: LIST,
  join: LIST,
  unique: LIST,
  chunk: LIST,
  flatten: LIST,
  pick: LIST,
  rename: LIST,
  template: ['text'],
  merge: ['value'],
};
/** Of a node that ran once for each item of a list. */
const MAPPED: readonly string[] = ['results', 'errors', 'count'];

/** By kind: the part of the output whose schema the config has, and where. */
const DECLARED: Readonly<Record<string, { readonly part: string; readonly schema: readonly string[] }>> = {
  llm: { part: 'data', schema: ['response_format', 'schema'] },
  agent: { part: 'data', schema: ['response_format', 'schema'] },
  interrupt: { part: 'data', schema: ['form'] },
  function: { part: '', schema: ['output_schema'] },
};
const MAX_DEPTH = 5;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The path of a key below another path, as templates write it. */
export const stepInto = (path: string, key: string): string => {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** Lists the paths of a schema's fields; of a list, those of its first item. */
function listSchemaPaths(schema: Json | undefined, path: string, depth = 0): string[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const items = ownValue(schema, 'items');
  if (items !== undefined) return [`${path}[0]`, ...listSchemaPaths(items, `${path}[0]`, depth + 1)];
  return listProperties(schema).flatMap(({ name, schema: inner }) => {
    const at = stepInto(path, name);
    return [at, ...listSchemaPaths(inner, at, depth + 1)];
  });
}

/** Lists the names of the fields that the items of a transformer's list will have. */
function listItemNames(config: JsonObject, mode: string): readonly string[] {
  const select = ownValue(config, 'select');
  if (mode === 'list' || mode === 'join') {
    if (isObject(select)) return Object.keys(select);
    return mode === 'join' && (select ?? null) === null ? ['left', 'right'] : [];
  }
  if (mode === 'pick') return readTexts(ownValue(config, 'keep'));
  if (mode !== 'group') return [];
  const [keys, values] = [ownValue(config, 'keys'), ownValue(config, 'values')];
  const computed = Array.isArray(values) ? values.map((value) => ownValue(value, 'name') ?? null) : [];
  return [...(isObject(keys) ? Object.keys(keys) : []), ...readTexts(computed)];
}

const readTexts = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string' && one !== '');

function listTransformerPaths(config: JsonObject): readonly string[] {
  const mode = readText(config, 'mode');
  const fields = ownValue(config, 'fields');
  if (mode === 'map' && isObject(fields)) return Object.keys(fields);
  const names = listItemNames(config, mode);
  const first = names.length === 0 ? [] : ['items[0]', ...names.map((name) => stepInto('items[0]', name))];
  return [...(MODES[mode] ?? []), ...first];
}

/** Finds the schema of the data that an action returns; undefined while it is not known. */
export type FindActionSchema = (integration: string, action: string) => JsonObject | undefined;

/** Lists the paths that the output of a node will have; of some kinds nothing is known before. */
export function listOutputPaths(node: JsonObject, findActionSchema: FindActionSchema): readonly string[] {
  const type = readText(node, 'type');
  const stored = ownValue(node, 'config');
  const config = isObject(stored) ? stored : {};
  if (ownValue(node, 'for_each') !== undefined) return MAPPED;
  if (type === 'tool') {
    const schema = findActionSchema(readText(config, 'integration'), readText(config, 'action'));
    return [...(TOOLS[readText(config, 'kind')] ?? []), ...listSchemaPaths(schema, 'data')];
  }
  const declared = DECLARED[type];
  if (declared !== undefined) {
    const paths = listSchemaPaths(getAt(config, declared.schema), declared.part);
    return [...(KINDS[type] ?? []), ...paths];
  }
  return type === 'transformer' ? listTransformerPaths(config) : (KINDS[type] ?? []);
}
