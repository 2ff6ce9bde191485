/**
 * Warns when two nodes that may run in parallel write the same field with the reducer `none`: the last one wins.
 * These are only warnings, so the search stops early on graphs with very many writers.
 */
import { addProblem, type CheckContext } from './examined.ts';
import type { Link } from '../schedule/plan.ts';
import { quote } from '../definition/reader.ts';

const MAX_PAIRS = 60;
const MAX_WRITERS = 20;

/** Adds at most one `parallel_writers` warning per field. */
export function checkWriters(examined: CheckContext, links: readonly Link[]): void {
  const { nodes } = examined.read;
  const reach = createReach(nodes.length, links);
  let pairsLeft = MAX_PAIRS;
  for (const [field, writers] of groupWriters(examined)) {
    if (pairsLeft <= 0) return;
    const few = writers.slice(0, MAX_WRITERS);
    const pair = findPair(few, (a, b) => pairsLeft-- > 0 && areParallel([a, b], links, reach));
    const [first, second] = (pair ?? []).map((index) => nodes[index]);
    if (first === undefined || second === undefined) continue;
    const message = `Nodes ${quote(first.id)} and ${quote(second.id)} may write the state field ${quote(field)} at the same time; the last one wins`;
    const path = ['nodes', second.position, 'state_updates', field];
    addProblem(examined, { severity: 'warning', code: 'parallel_writers', message, path, nodeId: second.id });
  }
}

function groupWriters({ read }: CheckContext): Map<string, number[]> {
  const writers = new Map<string, number[]>();
  read.nodes.forEach((node, index) => {
    for (const field of Object.keys(node.stateUpdates)) {
      if (!Object.hasOwn(read.fields, field) || read.fields[field]?.reducer !== 'none') continue;
      const list = writers.get(field);
      if (list === undefined) writers.set(field, [index]);
      else list.push(index);
    }
  });
  return writers;
}

function findPair(
  items: readonly number[],
  holds: (a: number, b: number) => boolean,
): [number, number] | undefined {
  for (const [position, a] of items.entries()) {
    for (const b of items.slice(position + 1)) if (holds(a, b)) return [a, b];
  }
  return undefined;
}

type Reach = (node: number) => ReadonlySet<number>;

/** Finds the nodes from which a node can be reached, itself included; caches the answer per node. */
function createReach(nodeCount: number, links: readonly Link[]): Reach {
  const sources: number[][] = Array.from({ length: nodeCount }, () => []);
  for (const link of links) sources[link.target]?.push(link.source);
  const known = new Map<number, Set<number>>();
  return (node) => {
    const found = known.get(node) ?? new Set([node]);
    if (known.has(node)) return found;
    known.set(node, found);
    for (const at of found) for (const source of sources[at] ?? []) found.add(source);
    return found;
  };
}

/** True when neither node follows the other, and two edges of one handle of a common ancestor lead to one of them each. */
function areParallel([a, b]: readonly [number, number], links: readonly Link[], reach: Reach): boolean {
  const toA = reach(a);
  const toB = reach(b);
  if (toA.has(b) || toB.has(a)) return false;
  const forks = new Map<string, { a: number; b: number; either: number }>();
  for (const { source, handle, target } of links) {
    const leadsToA = toA.has(target);
    const leadsToB = toB.has(target);
    if (!leadsToA && !leadsToB) continue;
    const key = `${source} ${handle}`;
    const fork = forks.get(key) ?? { a: 0, b: 0, either: 0 };
    fork.a += Number(leadsToA);
    fork.b += Number(leadsToB);
    fork.either += 1;
    if (fork.a > 0 && fork.b > 0 && fork.either > 1) return true;
    forks.set(key, fork);
  }
  return false;
}
