/** The list of node kinds: the one file that a new kind edits. */
import type { NodeType } from '../graph/definition.ts';
import type { KindRules } from '../graph/plan.ts';
import { agent } from './agent/agent.ts';
import { composer } from './composer.ts';
import { conditional } from './conditional.ts';
import { functionNode } from './function.ts';
import { guardrails } from './guardrails/guardrails.ts';
import { interrupt } from './interrupt.ts';
import type { NodeKind } from './kind.ts';
import { patternProblem } from './pattern.ts';
import { knowledge } from './knowledge.ts';
import { llm } from './llm.ts';
import { tool } from './tool/tool.ts';
import { transformer } from './transformer.ts';

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

/** Nodes of the service's own workflows. */
const systemKinds: readonly NodeKind[] = [composer];

const byType = new Map<NodeType, NodeKind>([...nodeKinds, ...systemKinds].map((kind) => [kind.type, kind]));

/** The kind of a node type. */
export function kindOf(type: NodeType): NodeKind {
  const kind = byType.get(type);
  if (kind === undefined) throw new Error(`no kind of node is registered for ${type}`);
  return kind;
}

/** What these kinds say about themselves, as the graph room asks for it. */
function rulesOf(kinds: readonly NodeKind[]): KindRules {
  const types = new Set<string>(kinds.map(({ type }) => type));
  return {
    has: (type): type is NodeType => types.has(type),
    problems(type, config) {
      const read = kindOf(type).parse(config);
      return 'problems' in read ? read.problems : [];
    },
    patternProblem,
    policy(type, config) {
      const kind = kindOf(type);
      const read = kind.parse(config);
      if ('problems' in read) throw new Error(`the policy of a ${type} with problems was asked for`);
      return kind.policy(read.config);
    },
    literalKeys: (type) => kindOf(type).literalKeys,
    itemKeys: (type) => kindOf(type).itemKeys ?? [],
  };
}

/** For definitions of clients. */
export const kindRules: KindRules = rulesOf(nodeKinds);

/** For the service's own definitions, and for running what one of the two has been checked against. */
export const systemRules: KindRules = rulesOf([...nodeKinds, ...systemKinds]);
