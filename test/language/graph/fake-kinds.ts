/** Kinds with the least rules that the graph tests need: handles and bounds come from the config itself. */
import type { Problem } from '../../../src/language/graph/definition/definition.ts';
import type { KindRules, Placement } from '../../../src/language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { NODE_TYPES } from '../../../src/language/nodes/faces.ts';

const TYPES: ReadonlySet<string> = new Set(NODE_TYPES);
const PLACEMENTS: Record<string, Placement> = { llm: 'activity', tool: 'activity', function: 'activity' };

export const fakeKinds: KindRules = {
  has: (type) => TYPES.has(type),
  problems: (_type, config) =>
    config['bad'] === true ? [{ code: 'bad_config', message: 'bad must not be true', path: ['bad'] }] : [],
  confirmProblems: () => [],
  triggerProblems: () => [],
  textFlow: () => ({
    source: null,
    carries: false,
    parts: new Map(),
    plain: [],
    schema: null,
    places: [],
    checks: [],
    host: null,
  }),
  patternProblem: (pattern) => (pattern === '(' ? 'The pattern is not valid' : null),
  policy: (type, config) => ({
    placement: PLACEMENTS[type] ?? 'fold',
    effect: 'pure',
    timeoutMs: 5_000,
    maxAttempts: type === 'llm' ? 3 : 1,
    handles: Array.isArray(config['handles']) ? config['handles'].map(String) : [],
  }),
  literalKeys: (type) => (type === 'function' ? ['code'] : []),
  itemKeys: (type) => (type === 'transformer' ? ['filter', 'select'] : []),
  responseKeys: () => [],
};

/**
 * A definition from one line: `graph('__start__ -> a, a -> b, b -error-> c')`. Nodes are transformers, edges are
 * named `a->b`; `more` adds keys to nodes by id.
 */
export function graph(
  text: string,
  more: Record<string, JsonObject> = {},
): JsonObject & { nodes: JsonObject[]; edges: JsonObject[] } {
  const edges = text.split(',').map((part): JsonObject => {
    const match = /^\s*(\w+)\s*-(?:(\w+)-)?>\s*(\w+)\s*$/.exec(part);
    if (match === null) throw new Error(`unreadable edge ${part}`);
    const [, source = '', handle = 'default', target = ''] = match;
    return { id: `${source}->${target}`, source, target, source_handle: handle };
  });
  const ids = new Set(edges.flatMap((edge) => [edge['source'], edge['target']]).map(String));
  const nodes = [...ids]
    .filter((id) => !id.startsWith('__'))
    .map((id): JsonObject => ({ id, type: 'transformer', config: {}, ...more[id] }));
  return { nodes, edges };
}

export const codes = (problems: readonly Problem[], severity: Problem['severity'] = 'error'): string[] =>
  problems.filter((problem) => problem.severity === severity).map((problem) => problem.code);
