/** The facts of a definition that a start needs: whether it compiles, whether it may open questions, and its execution config. */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../../base/db/client.ts';
import { badRequest } from '../../../base/errors.ts';
import type { KindRules } from '../../../language/graph/schedule/plan.ts';
import {
  readInputParameters,
  type InputParameter,
} from '../../../language/graph/definition/input-parameters.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { systemRules } from '../../../language/nodes/registry.ts';
import { readDefinition } from '../ledger/write/definitions.ts';

export interface DefinitionFacts {
  /** It has an interrupt, a node to be confirmed, or a tool that needs approval; an interrupt of kind `wait` does not count. */
  readonly hasPeopleQuestion: boolean;
  /** The definition's own execution config. */
  readonly config: Json | undefined;
  /** The declared parameters of a run's input. */
  readonly parameters: readonly InputParameter[];
}

function asksPeople(node: Json): boolean {
  if (!isObject(node)) return false;
  // Unknown keys of a node count as its config when there is none (SPEC DEF-2.0).
  const given = ownValue(node, 'config');
  const config = isObject(given) ? given : node;
  const type = ownValue(node, 'type');
  if (isObject(ownValue(node, 'confirm'))) return true;
  if (type === 'interrupt') return ownValue(config, 'kind') !== 'wait';
  const tools = type === 'agent' ? ownValue(config, 'tools') : null;
  return Array.isArray(tools) && tools.some((tool) => ownValue(tool, 'approval') === 'always');
}

/**
 * Checks a definition and reads its facts.
 * @param kinds the allowed kinds of nodes
 * @throws ApiError 400 with the first error when it does not compile
 */
export function checkDefinition(definition: JsonObject, kinds: KindRules): DefinitionFacts {
  const problem = validate(definition, kinds).find((found) => found.severity === 'error');
  if (problem !== undefined) throw badRequest('definition_invalid', problem.message);
  const nodes = ownValue(definition, 'nodes');
  return {
    hasPeopleQuestion: Array.isArray(nodes) && nodes.some(asksPeople),
    config: ownValue(definition, 'config'),
    parameters: readInputParameters(ownValue(definition, 'input_parameters')),
  };
}

/** Caches the facts of stored definitions by hash: only the first run of a deployment loads and checks its definition. */
export class DefinitionFactsCache {
  readonly #sql: Sql;
  /** The size is a guess: an entry has some KiB. */
  readonly #facts = new LRUCache<string, DefinitionFacts>({ max: 1_000 });

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Returns the facts of a definition that the organization has stored.
   * @param hash of the definition, as in the table `definitions`
   * @throws ApiError 400 when it does not compile
   */
  async get(organizationId: string, hash: string): Promise<DefinitionFacts> {
    const known = this.#facts.get(hash);
    if (known !== undefined) return known;
    const definition = await readDefinition(this.#sql, organizationId, hash);
    if (definition === null) throw new Error(`definition ${hash} is missing`);
    const facts = checkDefinition(definition, systemRules);
    this.#facts.set(hash, facts);
    return facts;
  }
}
