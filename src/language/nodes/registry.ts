/** The registry of the kinds of nodes: one for each type of `faces.ts`. */
import type { KindRules } from '../graph/schedule/plan.ts';
import type { JsonObject } from '../graph/values/value.ts';
import { agent } from './agent/agent.ts';
import { composer } from './composer.ts';
import { findConfirmationProblems } from './confirm/confirmation.ts';
import { conditional } from './conditional/conditional.ts';
import { NODE_TYPES, type NodeType, type RunnableType } from './faces.ts';
import { functionNode } from './function/function.ts';
import { guardrails } from './guardrails/guardrails.ts';
import { interrupt } from './interrupt/interrupt.ts';
import type { KindProblem, NodeKind } from './kind.ts';
import type { EffectPattern, FixedInput } from './effect.ts';
import { findPatternProblem } from './pattern.ts';
import { knowledge } from './knowledge/knowledge.ts';
import { llm } from './llm/llm.ts';
import { findTextProblems } from './text-problems.ts';
import { describeTextFlow } from './text-flow.ts';
import { tool } from './tool/tool.ts';
import { transformer } from './transformer/transformer.ts';
import { readTriggers } from './triggers/triggers.ts';

const KINDS: Readonly<Record<NodeType, NodeKind>> = {
  llm,
  tool,
  agent,
  function: functionNode,
  conditional,
  interrupt,
  transformer,
  guardrails,
  knowledge,
};

/** The kinds of all types that definitions may have. */
export const nodeKinds: readonly NodeKind[] = NODE_TYPES.map((type) => KINDS[type]);

/** Kinds of the service's own workflows; unknown types in a client's definition. */
const systemKinds: readonly NodeKind[] = [composer];

const byType = new Map<string, NodeKind>([...nodeKinds, ...systemKinds].map((kind) => [kind.type, kind]));

/** All types that runs may have. */
export const runnableTypes: readonly RunnableType[] = [...nodeKinds, ...systemKinds].map(({ type }) => type);

/** Gets the kind of a node type. */
export function getKind(type: string): NodeKind {
  const kind = byType.get(type);
  if (kind === undefined) throw new Error(`no kind of node is registered for ${type}`);
  return kind;
}

/** Implements the rules of src/language/graph for a list of kinds. @param findMore problems of a config that its kind accepts */
function createRules(
  kinds: readonly NodeKind[],
  findMore: (kind: NodeKind, config: JsonObject) => readonly KindProblem[] = () => [],
): KindRules {
  const types = new Set<string>(kinds.map(({ type }) => type));
  return {
    has: (type) => types.has(type),
    problems(type, config) {
      const kind = getKind(type);
      const read = kind.parse(config);
      return 'problems' in read ? read.problems : findMore(kind, config);
    },
    confirmProblems: (type, config, confirm) =>
      findConfirmationProblems(confirm, describeSender(type, config)),
    patternProblem: findPatternProblem,
    policy(type, config) {
      const kind = getKind(type);
      const read = kind.parse(config);
      if ('problems' in read) throw new Error(`a ${type} node with problems has no policy`);
      return kind.policy(read.config);
    },
    literalKeys: (type) => getKind(type).literalKeys,
    itemKeys: (type) => getKind(type).itemKeys ?? [],
    responseKeys: (type) => getKind(type).responseKeys ?? [],
    triggerProblems: (triggers) => readTriggers(triggers).problems,
    textFlow: (type, config) => describeTextFlow(type, config, describeEffects(type, config)),
  };
}

/** Describes what an execution of a node may send. @param config without problems */
export function describeEffects(type: string, config: JsonObject): readonly EffectPattern[] {
  const kind = getKind(type);
  const read = kind.parse(config);
  if ('problems' in read) throw new Error(`a ${type} node with problems sends nothing`);
  return kind.describe?.(read.config) ?? [];
}

/** Finds the input of the one call of a model that a node makes; null: a run decides it, or there is none, or several. */
export function findFixedInput(type: string, config: JsonObject): FixedInput | null {
  const kind = getKind(type);
  const read = kind.parse(config);
  return 'problems' in read ? null : (kind.fixedInput?.(read.config) ?? null);
}

/** Tells whether a node is one effect, which people can approve before it leaves. @param config without problems */
export const isOneEffect = (type: string, config: JsonObject): boolean =>
  describeSender(type, config) !== null;

/** Describes the one effect that a node is; null: it is none, or several. */
function describeSender(type: string, config: JsonObject): EffectPattern | null {
  const kind = getKind(type);
  const read = kind.parse(config);
  return 'problems' in read ? null : (kind.sender?.(read.config).describe(read.config) ?? null);
}

/** Rules for definitions that clients save, deploy or send. */
export const kindRules: KindRules = createRules(nodeKinds, findTextProblems);

/** Rules for the service's own definitions, and for those that were checked when they were deployed. */
export const systemRules: KindRules = createRules([...nodeKinds, ...systemKinds]);
