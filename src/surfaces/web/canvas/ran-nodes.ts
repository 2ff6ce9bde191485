/** The nodes as a run executed them, to tell which were edited since. */
import { isObject, ownValue, sameJson, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from './binding.ts';

/** Fields that do not affect the result of a node. A test run stores its pins as mocks. */
const IGNORED: readonly string[] = ['position', 'name', 'description', 'mock'];

export type RanNodes = ReadonlyMap<string, JsonObject>;

/** Indexes the nodes of the definition of a run. */
export function indexRanNodes(definition: unknown): RanNodes {
  const nodes = isObject(definition) ? ownValue(definition, 'nodes') : undefined;
  return new Map(
    (Array.isArray(nodes) ? nodes : []).filter(isObject).map((node) => [readText(node, 'id'), node]),
  );
}

const omitIgnored = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !IGNORED.includes(key)));

/** Whether a node differs from the one that ran in a field that affects its result. */
export const isEditedSince = (ran: JsonObject, node: JsonObject): boolean =>
  ran !== node && !sameJson(omitIgnored(ran), omitIgnored(node));
