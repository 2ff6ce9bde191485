/** Builders of workflow definitions for tests: short ways to write graphs. */
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';

export const START = '__start__';
export const END = '__end__';

export function node(
  id: string,
  type: string,
  config: JsonObject = {},
  envelope: JsonObject = {},
): JsonObject {
  return { id, type, name: id, config, ...envelope };
}
export function edge(source: string, target: string, handle?: string, more: JsonObject = {}): JsonObject {
  const base: JsonObject = { id: `${source}-${handle ?? 'default'}-${target}`, source, target };
  return { ...base, ...(handle === undefined ? {} : { source_handle: handle }), ...more };
}
export function workflow(nodes: JsonObject[], edges: JsonObject[], more: JsonObject = {}): JsonObject {
  return { metadata: { name: 'Test' }, config: {}, state_schema: { fields: {} }, nodes, edges, ...more };
}
/** start -> each node in turn -> end */
export function chain(...nodes: JsonObject[]): JsonObject {
  const ids = [START, ...nodes.map((item) => item['id'] as string), END];
  return workflow(
    nodes,
    ids.slice(1).map((id, i) => edge(ids[i] ?? START, id)),
  );
}
export function transform(id: string, fields: JsonObject = {}, envelope: JsonObject = {}): JsonObject {
  return node(id, 'transformer', { mode: 'map', fields }, envelope);
}
export function http(
  id: string,
  url: string,
  config: JsonObject = {},
  envelope: JsonObject = {},
): JsonObject {
  return node(id, 'tool', { kind: 'http', method: 'POST', url, ...config }, envelope);
}
export function rule(left: Json, op: string, right?: Json): JsonObject {
  return right === undefined ? { left, op } : { left, op, right };
}
export function conditional(id: string, ...cases: JsonObject[]): JsonObject {
  return node(id, 'conditional', { mode: 'rules', cases, default: 'else' });
}
export function when(id: string, ...rules: JsonObject[]): JsonObject {
  return { id, match: 'all', rules };
}
