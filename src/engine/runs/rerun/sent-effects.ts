/**
 * The one answer to "would this send?": the effects of nodes of a definition, those of their tools, and those of the sub-workflows
 * that they call, at any depth. Tests of nodes and reruns ask their caller by it.
 */
import type { Sql } from '../../../base/db/client.ts';
import { conflict } from '../../../base/errors.ts';
import { compile, type PlanNode } from '../../../language/graph/schedule/plan.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import {
  isChange,
  type EffectPattern,
  type FixedInput,
  type PatternOf,
} from '../../../language/nodes/effect.ts';
import { describeEffects, findFixedInput, isOneEffect, kindRules } from '../../../language/nodes/registry.ts';
import { MAX_CHILD_DEPTH } from '../accept/child-run.ts';
import { readDefinition } from '../ledger/write/definitions.ts';
import { findRunnable } from '../ledger/read/workflows.ts';

/** Definitions of sub-workflows that are looked at; beyond them an effect is assumed. A guess. */
const MAX_DEFINITIONS = 100;

/**
 * Why a rule that asks refuses an effect: an item of a list cannot wait (`item`), a link to a person is sent with its question (`message`), and
 * others cannot be shown before they leave (`unshown`): turns of an agent, checks by a model.
 */
export type Unasked = 'item' | 'message' | 'unshown';

function findUnasked({ type, config, forEach }: PlanNode, { door }: EffectPattern): Unasked | null {
  if (forEach !== null) return 'item';
  if (door === 'message') return 'message';
  const isTool = type === 'agent' && door !== 'model';
  return isTool || isOneEffect(type, config) ? null : 'unshown';
}

/** An effect that a node may have. */
export interface FoundEffect {
  /** The name of the node, after those of the nodes that call its workflow. */
  readonly path: readonly string[];
  /** The workflow of the node; null: none is stored. */
  readonly workflowId: string | null;
  /** Null: a sub-workflow that was not looked at. */
  readonly effect: EffectPattern | null;
  /** Why nobody can be asked about it before it leaves; null: people can be. */
  readonly unasked: Unasked | null;
  /** Of each call of a model. */
  readonly model?: ModelCallLimits;
}

/** The bounds of a call of a model, as its node says them. */
export interface ModelCallLimits {
  readonly nodeType: string;
  /** Null: the service's own limit. */
  readonly maxOutputTokens: number | null;
  /** Null: a run decides its input. */
  readonly input: FixedInput | null;
}

/** A place in the calls of workflows. */
type Place = Pick<FoundEffect, 'path' | 'workflowId'>;

function readMaxOutputTokens(config: JsonObject): number | null {
  const parameters = ownValue(config, 'parameters');
  const most = ownValue(parameters ?? null, 'max_output_tokens');
  return typeof most === 'number' ? most : null;
}

const readModelLimits = ({ type, config }: PlanNode): ModelCallLimits => ({
  nodeType: type,
  maxOutputTokens: readMaxOutputTokens(config),
  input: findFixedInput(type, config),
});

/** Lists what a node may have itself, without the sub-workflows that it calls. */
export const findOwnEffects = (
  node: PlanNode,
  workflowId: string | null,
): readonly (FoundEffect & { readonly effect: EffectPattern })[] =>
  node.disabled || node.mock !== undefined
    ? []
    : describeEffects(node.type, node.config).map((effect) => ({
        path: [node.name],
        workflowId,
        effect,
        unasked: findUnasked(node, effect),
        ...(effect.door === 'model' ? { model: readModelLimits(node) } : {}),
      }));

class Search {
  readonly #sql: Sql;
  readonly #organizationId: string;
  /** Hashes of the definitions that were looked at: the first way to each is enough. */
  readonly #seen = new Set<string>();

  constructor(sql: Sql, organizationId: string) {
    this.#sql = sql;
    this.#organizationId = organizationId;
  }

  async list(nodes: readonly PlanNode[], { path, workflowId }: Place): Promise<FoundEffect[]> {
    const found: FoundEffect[] = [];
    for (const node of nodes) {
      const at = { path: [...path, node.name], workflowId };
      for (const one of findOwnEffects(node, workflowId)) {
        found.push({ ...one, ...at });
        if (one.effect.door !== 'run') continue;
        for (const inner of await this.#listOfChild(one.effect, at)) found.push(inner);
      }
    }
    return found;
  }

  async #listOfChild(
    { target: { workflow_id: workflowId, deployment } }: PatternOf<'run'>,
    place: Place,
  ): Promise<FoundEffect[]> {
    const { path } = place;
    const key = { organizationId: this.#organizationId, workflowId };
    const target = path.length > MAX_CHILD_DEPTH ? null : await findRunnable(this.#sql, key, deployment);
    // A call without a target, or of a definition that does not compile, fails before anything is sent.
    if (target === null || target === 'none' || this.#seen.has(target.definitionHash)) return [];
    if (this.#seen.size >= MAX_DEFINITIONS) return [{ ...place, effect: null, unasked: null }];
    this.#seen.add(target.definitionHash);
    const definition = await readDefinition(this.#sql, key.organizationId, target.definitionHash);
    if (definition === null || validate(definition, kindRules).some(({ severity }) => severity === 'error'))
      return [];
    return this.list(compile(definition, kindRules).nodes, { path, workflowId });
  }
}

interface EffectOwner {
  readonly organizationId: string;
  readonly workflowId: string | null;
}

/** Lists what nodes, their tools and their sub-workflows may send. Nothing is sent for it. */
export const findEffects = (
  sql: Sql,
  { organizationId, workflowId }: EffectOwner,
  nodes: readonly PlanNode[],
): Promise<FoundEffect[]> => new Search(sql, organizationId).list(nodes, { path: [], workflowId });

/** The name of a node below those of the nodes that call its workflow: `Order / Send`. */
export const nameNode = ({ path }: Pick<FoundEffect, 'path'>): string => path.join(' / ');

/** Lists the nodes that change something outside, each by a name; empty when nothing is sent. */
export async function listEffects(
  sql: Sql,
  organizationId: string,
  nodes: readonly PlanNode[],
): Promise<string[]> {
  const found = await findEffects(sql, { organizationId, workflowId: null }, nodes);
  const changing = found.filter(({ effect }) => effect === null || isChange(effect));
  return [...new Set(changing.map(nameNode))];
}

/** Names in a refusal. */
const MAX_NAMES = 10;

/**
 * Requires that the caller has confirmed effects.
 * @param what the beginning of the refusal, such as "The rerun would repeat"
 * @throws ApiError 409 with their names
 */
export function requireConfirmation(what: string, effects: readonly string[], isConfirmed: boolean): void {
  if (isConfirmed || effects.length === 0) return;
  const names = [...new Set(effects)];
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  throw conflict(
    'effects_not_confirmed',
    `${what}: ${names.slice(0, MAX_NAMES).join(', ')}${more}. Send confirm_effects: true to run it`,
  );
}
