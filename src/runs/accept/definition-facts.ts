/** What starting a run must know of a definition: that it compiles, whether it asks, and its own limits. */
import { badRequest } from '../../errors.ts';
import type { KindRules } from '../../graph/plan.ts';
import { validate } from '../../graph/validate.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';

export interface DefinitionFacts {
  /** It has an interrupt or a tool call that asks people; an interrupt that only waits for a time asks nobody. */
  readonly asks: boolean;
  /** The definition's own execution config. */
  readonly config: Json | undefined;
}

/** Facts of deployed definitions by content: runs of a deployment need neither load nor check its definition again. */
const remembered = new Map<string, DefinitionFacts>();
const MAX_REMEMBERED = 1_000;

/** What is remembered of a definition that was checked before. */
export function knownFacts(hash: string): DefinitionFacts | undefined {
  return remembered.get(hash);
}

function asksSomebody(node: Json): boolean {
  if (!isObject(node)) return false;
  // Unknown keys of a node count as its config when there is none (SPEC DEF-2.0).
  const given = ownValue(node, 'config');
  const config = isObject(given) ? given : node;
  const type = ownValue(node, 'type');
  if (type === 'interrupt') return ownValue(config, 'kind') !== 'wait';
  const tools = type === 'agent' ? ownValue(config, 'tools') : null;
  return Array.isArray(tools) && tools.some((tool) => ownValue(tool, 'approval') === 'always');
}

/**
 * Checks a definition and reads its facts.
 * @param kinds which nodes it may have
 * @param hash remembers the facts under this hash
 * @throws ApiError 400 with the first error, when it does not compile
 */
export function factsOf(definition: JsonObject, kinds: KindRules, hash?: string): DefinitionFacts {
  const problem = validate(definition, kinds).find((found) => found.severity === 'error');
  if (problem !== undefined) throw badRequest(problem.message);
  const nodes = ownValue(definition, 'nodes');
  const facts = {
    asks: Array.isArray(nodes) && nodes.some(asksSomebody),
    config: ownValue(definition, 'config'),
  };
  if (hash !== undefined) {
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(hash, facts);
  }
  return facts;
}
