/** A node would run too early, twice or never where branches meet or a loop repeats. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/language/graph/schedule/plan.ts';
import { decodeProgress, encodeProgress } from '../../../src/language/graph/schedule/progress.ts';
import {
  NODE,
  createProgress,
  isQuiet,
  resolveDeferred,
  settleNode,
  startNode,
} from '../../../src/language/graph/schedule/schedule.ts';
import type { Progress } from '../../../src/language/graph/schedule/schedule.ts';
import { pauseNode } from '../../../src/language/graph/schedule/pauses.ts';
import { toSkeleton } from '../../../src/language/graph/definition/skeleton.ts';
import type { Skeleton } from '../../../src/language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { fakeKinds } from './fake-kinds.ts';

/** `a -> b, a:yes -> c` with START and END spelled `<` and `>`; `b?` joins on any. */
function graph(text: string, recursionLimit = 100): Skeleton {
  const ids = new Set<string>();
  const any = new Set<string>();
  const name = (word: string): string => {
    if (word === '<') return '__start__';
    if (word === '>') return '__end__';
    const id = word.replace('?', '');
    ids.add(id);
    if (word.includes('?')) any.add(id);
    return id;
  };
  const edges = text.split(',').map((part) => {
    const [from = '', to = ''] = part.split('->').map((word) => word.trim());
    const [source = '', handle = 'default'] = from.split(':');
    return { id: part.trim(), source: name(source), target: name(to), source_handle: handle };
  });
  const nodes = [...ids].map((id) => ({
    id,
    type: 'transformer',
    config: {},
    join: any.has(id) ? 'any' : 'all',
  }));
  return toSkeleton(compile({ nodes, edges } as unknown as JsonObject, fakeKinds), recursionLimit);
}

/** Runs a graph to its end; `choose` names the targets that a node takes (all when it says nothing). */
function run(shape: Skeleton, choose: Record<string, (visit: number) => string[]> = {}) {
  const progress = createProgress(shape);
  const ran: string[] = [];
  const skipped: string[] = [];
  const idOf = (node: number): string => (node === -2 ? '>' : (shape.nodes[node]?.id ?? '?'));
  for (let guard = 0; guard < 100_000; guard += 1) {
    const node = progress.ready[0];
    if (node === undefined) {
      const late = resolveDeferred(shape, progress);
      if (late === null) break;
      skipped.push(...late.map(idOf));
      continue;
    }
    const execution = startNode(shape, progress, node);
    if (execution === null) break;
    ran.push(idOf(node));
    const out = shape.nodes[node]?.out ?? [];
    const wanted = choose[idOf(node)]?.(execution.visit);
    const taken = out.flatMap((edge, position) =>
      wanted === undefined || wanted.includes(idOf(shape.edges[edge]?.[1] ?? 0)) ? [position] : [],
    );
    skipped.push(...settleNode(shape, progress, { node, visit: execution.visit, taken }).map(idOf));
  }
  return { ran, skipped, progress };
}

describe('joins', () => {
  test('a join waits for every branch and runs once', () => {
    const { ran } = run(graph('< -> a, < -> b, a -> c, b -> c, c -> >'));
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  test('a join does not wait for a skipped branch, and skips spread', () => {
    const { ran, skipped } = run(graph('< -> c, c:x -> a, c:y -> b, b -> d, a -> e, d -> e, e -> >'), {
      c: () => ['a'],
    });
    expect(ran).toEqual(['c', 'a', 'e']);
    expect(skipped.sort()).toEqual(['b', 'd']);
  });

  test('join any runs on the first branch, once', () => {
    const shape = graph('< -> a, < -> b, a -> c?, b -> c?, c -> >');
    const progress = createProgress(shape);
    startNode(shape, progress, 0);
    startNode(shape, progress, 1);
    settleNode(shape, progress, { node: 0, visit: 1, taken: [0] });
    expect(progress.ready).toEqual([2]);
    startNode(shape, progress, 2);
    settleNode(shape, progress, { node: 1, visit: 1, taken: [0] });
    expect(progress.ready).toEqual([]);
    expect(progress.visits[2]).toBe(1);
  });

  test('when all branches are skipped the join is skipped too', () => {
    const { skipped } = run(graph('< -> s, s:x -> a, s:y -> b, a -> c, b -> c, c -> >'), { s: () => [] });
    expect(skipped.sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('loops', () => {
  test('a back edge runs its target again until it is not taken; the exit is not skipped meanwhile', () => {
    const shape = graph('< -> inc, inc -> check, check:again -> inc, check:else -> last, last -> >');
    const { ran, skipped, progress } = run(shape, { check: (visit) => (visit < 5 ? ['inc'] : ['last']) });
    expect(ran.filter((id) => id === 'inc')).toHaveLength(5);
    expect(ran.at(-1)).toBe('last');
    expect(skipped).toEqual([]);
    expect(progress.iterations).toEqual([4]);
  });

  test('an exit before the end of the loop is decided only when the loop is over', () => {
    const shape = graph(
      '< -> a, a:go -> b, a:out -> done, b:again -> a, b:else -> after, done -> >, after -> >',
    );
    const never = run(shape, { a: () => ['b'], b: (visit) => (visit < 3 ? ['a'] : ['after']) });
    expect(never.ran.filter((id) => id === 'b')).toHaveLength(3);
    expect(never.skipped).toEqual(['done']);
    const early = run(shape, { a: (visit) => (visit < 2 ? ['b'] : ['done']), b: () => ['a'] });
    expect(early.ran).toEqual(['a', 'b', 'a', 'done']);
    expect(early.skipped.sort()).toEqual(['after', 'b']);
  });

  test('an inner loop starts from zero in each round of the outer one', () => {
    const shape = graph(
      '< -> o, o -> i, i -> ic, ic:again -> i, ic:else -> oc, oc:again -> o, oc:else -> z, z -> >',
    );
    const { ran, progress } = run(shape, {
      ic: (visit) => (visit % 3 === 0 ? ['oc'] : ['i']),
      oc: (visit) => (visit < 2 ? ['o'] : ['z']),
    });
    expect(ran.filter((id) => id === 'i')).toHaveLength(6);
    expect(ran.at(-1)).toBe('z');
    expect([...progress.iterations].sort()).toEqual([1, 2]);
  });

  test('the recursion limit counts depth, not nodes', () => {
    const loop = graph('< -> inc, inc -> check, check:again -> inc, check:else -> z, z -> >', 8);
    const { ran, progress } = run(loop, { check: () => ['inc'] });
    expect(ran).toHaveLength(8);
    expect(progress.stop).toEqual({ reason: 'recursion_limit_exceeded', node: 0 });
    const wide = graph(Array.from({ length: 50 }, (_, i) => `< -> w${i}, w${i} -> >`).join(','), 5);
    expect(run(wide).ran).toHaveLength(50);
  });

  test('a result that comes after its loop came round changes nothing', () => {
    const shape = graph('< -> a, a -> slow, a -> b, b:again -> a, b:else -> z, slow -> z, z -> >');
    const progress = createProgress(shape);
    const [a, slow, b] = [0, 1, 2];
    startNode(shape, progress, a);
    settleNode(shape, progress, { node: a, visit: 1, taken: [0, 1] });
    startNode(shape, progress, slow);
    startNode(shape, progress, b);
    settleNode(shape, progress, { node: b, visit: 1, taken: [0] });
    const before = encodeProgress(progress);
    settleNode(shape, progress, { node: slow, visit: 99, taken: [0] });
    expect(encodeProgress(progress)).toBe(before);
  });
});

describe('progress', () => {
  test('a line of 10,000 nodes is walked, and its progress stays small', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
    const shape = graph(['<', ...ids].map((id, i) => `${id} -> ${ids[i] ?? '>'}`).join(','), 1_000_000);
    const { ran, progress } = run(shape);
    expect(ran).toHaveLength(10_000);
    expect(encodeProgress(progress).length).toBeLessThan(131_072);
  });

  test('survives its own encoding at every step, and every acyclic graph ends quiet', () => {
    const edgesOf = fc
      .integer({ min: 2, max: 12 })
      .chain((size) =>
        fc
          .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.boolean()), { minLength: 1, maxLength: 30 })
          .map((pairs) => ({ size, pairs: pairs.filter(([a, b]) => a < b) })),
      );
    fc.assert(
      fc.property(edgesOf, fc.infiniteStream(fc.boolean()), ({ size, pairs }, takes) => {
        const parts = Array.from({ length: size }, (_, i) => `< -> n${i}`);
        parts.push(...pairs.map(([a, b, any]) => `n${a} -> n${b}${any ? '?' : ''}`));
        const shape = graph(parts.join(','));
        let progress: Progress = createProgress(shape);
        for (let node = progress.ready[0]; node !== undefined; node = progress.ready[0]) {
          const execution = startNode(shape, progress, node);
          if (execution === null) break;
          const out = shape.nodes[node]?.out ?? [];
          settleNode(shape, progress, {
            node,
            visit: execution.visit,
            taken: out.flatMap((_, i) => (takes.next().value ? [i] : [])),
          });
          const copy = decodeProgress(encodeProgress(progress));
          expect(copy).toEqual(progress);
          progress = copy;
        }
        expect(isQuiet(progress)).toBe(true);
        expect(progress.nodes.every((state) => state === NODE.done || state === NODE.skipped)).toBe(true);
        expect(progress.visits.every((visit) => visit === 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('executions that a loop overtakes', () => {
  const shape = graph('< -> h, h -> a, h -> w, a -> j?, w -> j?, j:yes -> h, j:no -> >');
  const [h, a, w, j] = ['h', 'a', 'w', 'j'].map((id) => shape.nodes.findIndex((each) => each.id === id));
  const end = (progress: Progress, at: number, taken: number[]): number[] =>
    settleNode(shape, progress, { node: at, visit: startNode(shape, progress, at)?.visit ?? 0, taken });

  /** Round 0 with `w` in this state when the loop comes round. */
  function comeRound(state: number): Progress {
    const progress = createProgress(shape);
    end(progress, h!, [0, 1]);
    startNode(shape, progress, w!);
    progress.nodes[w!] = state;
    end(progress, a!, [0]);
    end(progress, j!, [0]);
    return progress;
  }

  test.each([
    ['a question', NODE.interrupted],
    ['a wait', NODE.sleeping],
  ])('%s is reported, and survives the wire', (_, state) => {
    const progress = comeRound(state);
    expect(progress.overtaken).toEqual([{ node: w, visit: 1 }]);
    expect(decodeProgress(encodeProgress(progress))).toEqual(progress);
  });

  test('work in flight ends by itself; it is reported when it pauses behind its loop, in its round or in a later one', () => {
    const progress = comeRound(NODE.running);
    expect(progress.overtaken).toEqual([]);
    pauseNode(progress, { node: w!, visit: 1 }, null);
    expect(progress.overtaken).toEqual([{ node: w, visit: 1 }]);
    end(progress, h!, [0, 1]);
    startNode(shape, progress, w!);
    pauseNode(progress, { node: w!, visit: 1 }, null);
    expect(progress.overtaken).toHaveLength(2);
    expect(progress.nodes[w!]).toBe(NODE.running);
  });

  test('an execution that has ended is not reported when its pause is told again', () => {
    const progress = createProgress(shape);
    end(progress, h!, [0, 1]);
    end(progress, w!, []);
    pauseNode(progress, { node: w!, visit: 1 }, null);
    expect(progress.overtaken).toEqual([]);
  });
});
