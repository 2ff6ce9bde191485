/** The registry of the kinds of nodes. */
import type { NodeType } from '../graph/definition/definition.ts';
import type { KindRules } from '../graph/schedule/plan.ts';
import type { JsonObject } from '../graph/values/value.ts';
import { agent } from './agent/agent.ts';
import { composer } from './composer.ts';
import { conditional } from './conditional/conditional.ts';
import { functionNode } from './function/function.ts';
import { guardrails } from './guardrails/guardrails.ts';
import { interrupt } from './interrupt/interrupt.ts';
import type { KindProblem, NodeKind } from './kind.ts';
import type { EffectPattern } from './effect.ts';
import { findPatternProblem } from './pattern.ts';
import { knowledge } from './knowledge/knowledge.ts';
import { llm } from './llm/llm.ts';
import { findTextProblems } from './text-problems.ts';
import { tool } from './tool/tool.ts';
import { transformer } from './transformer/transformer.ts';

/** The nine node types (SPEC API-definition). */
export const nodeKinds: readonly NodeKind[] = [
  llm,
  tool,
  agent,
  functionNode,
  conditional,
  interrupt,
  transformer,
  guardrails,
  knowledge,
];

/** Kinds of the service's own workflows. */
const systemKinds: readonly NodeKind[] = [composer];

const byType = new Map<NodeType, NodeKind>([...nodeKinds, ...systemKinds].map((kind) => [kind.type, kind]));

/** Gets the kind of a node type. */
export function getKind(type: NodeType): NodeKind {
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
    has: (type): type is NodeType => types.has(type),
    problems(type, config) {
      const kind = getKind(type);
      const read = kind.parse(config);
      return 'problems' in read ? read.problems : findMore(kind, config);
    },
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
  };
}

/** Describes what an execution of a node may send. @param config without problems */
export function describeEffects(type: NodeType, config: JsonObject): readonly EffectPattern[] {
  const kind = getKind(type);
  const read = kind.parse(config);
  if ('problems' in read) throw new Error(`a ${type} node with problems sends nothing`);
  return kind.describe?.(read.config) ?? [];
}

/** Rules for definitions that clients save, deploy or send. */
export const kindRules: KindRules = createRules(nodeKinds, findTextProblems);

/** Rules for the service's own definitions, and for those that were checked when they were deployed. */
export const systemRules: KindRules = createRules([...nodeKinds, ...systemKinds]);
