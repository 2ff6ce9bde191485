/** The nodes as a run has executed them, to tell which of them were edited since. */
import { isObject, ownValue, sameJson, type JsonObject } from '../../graph/value.ts';
import { readText } from './binding.ts';

/** Fields that change neither the work of a node nor its result; a mock stands for a pin of a test run. */
const QUIET: readonly string[] = ['position', 'name', 'description', 'mock'];

export type RanNodes = ReadonlyMap<string, JsonObject>;

/** Indexes the nodes of the definition of a run. */
export function indexRanNodes(definition: unknown): RanNodes {
  const nodes = isObject(definition) ? ownValue(definition, 'nodes') : undefined;
  return new Map(
    (Array.isArray(nodes) ? nodes : []).filter(isObject).map((node) => [readText(node, 'id'), node]),
  );
}

const listWork = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !QUIET.includes(key)));

/** Whether a node does other work than the one that ran. */
export const isEditedSince = (ran: JsonObject, node: JsonObject): boolean =>
  ran !== node && !sameJson(listWork(ran), listWork(node));
