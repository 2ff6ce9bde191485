/** Checks of edges: their ends, their ids, and whether their source can select their handle. */
import { END, START } from '../definition/definition.ts';
import { addProblem, type CheckContext } from './examined.ts';
import type { NodePolicy } from '../schedule/plan.ts';
import type { ReadEdge } from '../definition/read.ts';
import { quote } from '../definition/reader.ts';
import { listLiteralPatterns } from '../template/rules.ts';

/** Reports the problems of each edge and of the entry point. @param policies by node index; null: the config is invalid */
export function checkEdges(examined: CheckContext, policies: readonly (NodePolicy | null)[]): void {
  const { nodes, edges, entryPoint } = examined.read;
  const handlesById = new Map(
    nodes.map((node, index) => {
      const policy = policies[index] ?? null;
      return [node.id, policy === null ? null : new Set(policy.handles)];
    }),
  );
  const seen = new Set<string>();
  for (const edge of edges) {
    if (seen.has(edge.id))
      addEdgeError(examined, edge, {
        code: 'duplicate_edge_id',
        words: 'has an id that another edge uses',
        key: 'id',
      });
    seen.add(edge.id);
    checkEnds(edge, examined);
    checkHandle(edge, handlesById.get(edge.source) ?? null, examined);
    checkPatterns(edge, examined);
  }
  if (entryPoint !== START && !examined.nodeIds.has(entryPoint)) {
    const message = `Entry point ${quote(entryPoint)} is not a node`;
    addProblem(examined, { code: 'unknown_entry_point', message, path: ['entry_point'] });
  }
  checkActions(examined, policies);
}

function addEdgeError(
  examined: CheckContext,
  edge: ReadEdge,
  { code, words, key }: { readonly code: string; readonly words: string; readonly key: string },
): void {
  const message = `Edge ${quote(edge.id)} ${words}`;
  addProblem(examined, { code, message, path: ['edges', edge.position, key] });
}

function checkEnds(edge: ReadEdge, examined: CheckContext): void {
  const { source, target } = edge;
  if (source === END)
    addEdgeError(examined, edge, { code: 'edge_from_end', words: `must not start at ${END}`, key: 'source' });
  else if (source !== START && !examined.nodeIds.has(source)) {
    addEdgeError(examined, edge, {
      code: 'dangling_edge',
      words: `starts at ${quote(source)}, which is not a node`,
      key: 'source',
    });
  }
  if (source === START && edge.when !== null)
    addEdgeError(examined, edge, {
      code: 'condition_at_start',
      words: `leaves ${START}, which tests no "when": put a conditional behind it`,
      key: 'when',
    });
  if (target === START)
    addEdgeError(examined, edge, {
      code: 'edge_into_start',
      words: `must not lead to ${START}`,
      key: 'target',
    });
  else if (target !== END && !examined.nodeIds.has(target)) {
    addEdgeError(examined, edge, {
      code: 'dangling_edge',
      words: `leads to ${quote(target)}, which is not a node`,
      key: 'target',
    });
  }
}

/** Only nodes select handles, so the start has just `default`. @param handles null: the source is unknown or its config invalid */
function checkHandle(edge: ReadEdge, handles: ReadonlySet<string> | null, examined: CheckContext): void {
  if (edge.handle === 'default') return;
  const isKnown =
    edge.source === START ? false : handles === null || edge.handle === 'error' || handles.has(edge.handle);
  if (isKnown) return;
  const words = `leaves by the handle ${quote(edge.handle)}, which ${quote(edge.source)} does not have`;
  addEdgeError(examined, edge, { code: 'unknown_handle', words, key: 'source_handle' });
}

/** Reports invalid patterns of the edge's condition: they would fail the source node when it has done its work. */
function checkPatterns(edge: ReadEdge, examined: CheckContext): void {
  for (const { pattern } of edge.when === null ? [] : listLiteralPatterns(edge.when)) {
    const problem = examined.kinds.patternProblem(pattern);
    if (problem !== null)
      addEdgeError(examined, edge, {
        code: 'invalid_pattern',
        words: `has a condition: ${problem}`,
        key: 'when',
      });
  }
}

/** Reports actions of interrupts without an edge of their own or a `default` edge: such an answer would end the path. */
function checkActions(examined: CheckContext, policies: readonly (NodePolicy | null)[]): void {
  const handlesBySource = new Map<string, Set<string>>();
  for (const edge of examined.read.edges) {
    const handles = handlesBySource.get(edge.source) ?? new Set();
    handlesBySource.set(edge.source, handles.add(edge.handle));
  }
  examined.read.nodes.forEach((node, index) => {
    const used = handlesBySource.get(node.id);
    // Without any edge the path ends here on purpose, whatever the answer is.
    if (node.type !== 'interrupt' || used === undefined || used.has('default')) return;
    const unused = (policies[index]?.handles ?? []).filter(
      (handle) => handle !== 'timeout' && !used.has(handle),
    );
    for (const action of unused) {
      const message = `Node ${quote(node.id)}: action ${quote(action)} has no edge and there is no default edge`;
      addProblem(examined, {
        code: 'unhandled_action',
        message,
        path: ['nodes', node.position],
        nodeId: node.id,
      });
    }
  });
}
