/** A loop would repeat the wrong nodes, or a large graph would stall the service while its loops are searched. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  searchDepthFirst,
  findLoops,
  listOutEdges,
  type PlanLoop,
} from '../../../src/language/graph/schedule/loops.ts';

/** An edge, by the indexes of its nodes. */
interface EdgeEnds {
  readonly source: number;
  readonly target: number;
}

const edges = (...pairs: [number, number][]): EdgeEnds[] =>
  pairs.map(([source, target]) => ({ source, target }));

/** Nodes reachable from `from` over the given edges, itself included. */
function reachable(from: number, over: readonly EdgeEnds[]): Set<number> {
  const found = new Set([from]);
  for (const node of found) for (const edge of over) if (edge.source === node) found.add(edge.target);
  return found;
}

describe('findLoops', () => {
  it('finds none in a diamond', () => {
    expect(findLoops(4, edges([-1, 0], [0, 1], [0, 2], [1, 3], [2, 3], [3, -2]))).toEqual([]);
  });

  it('tells the inside of a loop from its exits', () => {
    // 0 -> 1 -> 2 -> 1 (back), 1 -> 3, 2 -> end
    const loops = findLoops(4, edges([-1, 0], [0, 1], [1, 2], [2, 1], [1, 3], [2, -2], [3, -2]));
    expect(loops).toEqual<PlanLoop[]>([{ edge: 3, nodes: [1, 2], edges: [2], exits: [4, 5] }]);
  });

  it('takes a node that points at itself for a loop of one', () => {
    expect(findLoops(1, edges([-1, 0], [0, 0], [0, -2]))).toEqual([
      { edge: 1, nodes: [0], edges: [], exits: [2] },
    ]);
  });

  it('keeps an inner loop inside the outer one, and parallel paths inside both ends', () => {
    const nested = findLoops(4, edges([-1, 0], [0, 1], [1, 2], [2, 1], [2, 3], [3, 0], [3, -2]));
    expect(nested).toEqual([
      { edge: 3, nodes: [1, 2], edges: [2], exits: [4] },
      { edge: 5, nodes: [0, 1, 2, 3], edges: [1, 2, 4], exits: [6] },
    ]);
    const parallel = findLoops(5, edges([-1, 0], [0, 1], [0, 2], [1, 3], [2, 3], [3, 0], [0, 4]));
    expect(parallel).toEqual([{ edge: 5, nodes: [0, 1, 2, 3], edges: [1, 2, 3, 4], exits: [6] }]);
  });

  it('walks a line of 10,000 nodes that leads back to its start', () => {
    const size = 10_000;
    const line = Array.from({ length: size }, (_, i): [number, number] => [i, (i + 1) % size]);
    const [loop] = findLoops(size, edges([-1, 0], ...line)) ?? [];
    expect(loop?.nodes).toHaveLength(size);
    expect(loop?.edges).toHaveLength(size - 1);
  });

  it('gives up on loops that multiply', () => {
    const size = 10_000;
    const line = Array.from({ length: size - 1 }, (_, i): [number, number] => [i, i + 1]);
    const back = Array.from({ length: 5_000 }, (_, i): [number, number] => [size - 1 - i, i]);
    expect(findLoops(size, edges([-1, 0], ...line, ...back))).toBeNull();
  });

  it('agrees with the definition on random graphs', () => {
    const size = 7;
    const node = fc.integer({ min: 0, max: size - 1 });
    const random = fc.uniqueArray(fc.tuple(node, node), { maxLength: 18, selector: (pair) => pair.join() });
    fc.assert(
      fc.property(random, (pairs) => {
        const all = edges([-1, 0], ...pairs);
        const live = reachable(0, all);
        const loops = findLoops(size, all) ?? [];
        const back = new Set(loops.map((loop) => loop.edge));
        const forward = all.filter(
          (edge, index) => edge.source >= 0 && !back.has(index) && live.has(edge.source),
        );
        // Without its back edges the graph has no cycle.
        for (const edge of forward) expect(reachable(edge.target, forward).has(edge.source)).toBe(false);
        for (const loop of loops) {
          const { source, target } = all[loop.edge]!;
          const expected = [...reachable(target, forward)].filter((at) => reachable(at, forward).has(source));
          expect(loop.nodes).toEqual(expected.toSorted((a, b) => a - b));
          const inside = new Set(expected);
          const leaving = all.flatMap((edge, index) =>
            inside.has(edge.source) && !back.has(index) ? [index] : [],
          );
          expect([...loop.edges, ...loop.exits].toSorted((a, b) => a - b)).toEqual(leaving);
          for (const index of loop.edges) expect(inside.has(all[index]!.target)).toBe(true);
          for (const index of loop.exits) expect(inside.has(all[index]!.target)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('depthFirst', () => {
  it('leaves -1 on what it did not reach', () => {
    const all = edges([0, 1], [2, 1]);
    expect(searchDepthFirst(listOutEdges(3, all), all, [0]).entered).toEqual([0, 1, -1]);
  });
});
