/** A rerun would begin at another place than its run had reached. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../../src/language/graph/schedule/plan.ts';
import { findReachable, rewalk, type PastExecution } from '../../../src/language/graph/schedule/rewalk.ts';
import {
  NODE,
  createProgress,
  isQuiet,
  resolveDeferred,
  settleNode,
  startNode,
} from '../../../src/language/graph/schedule/schedule.ts';
import type { Progress } from '../../../src/language/graph/schedule/schedule.ts';
import { toSkeleton } from '../../../src/language/graph/definition/skeleton.ts';
import type { Skeleton } from '../../../src/language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { fakeKinds } from './fake-kinds.ts';

const RUNS = Number(process.env['RERUN_WALKS'] ?? 300);

interface Drawn {
  readonly count: number;
  readonly forward: readonly (readonly [number, number])[];
  readonly back: readonly (readonly [number, number])[];
  readonly any: readonly boolean[];
  readonly dice: readonly number[];
}

const drawn = fc.integer({ min: 2, max: 8 }).chain((count) => {
  const index = fc.integer({ min: 0, max: count - 1 });
  return fc.record({
    count: fc.constant(count),
    forward: fc.array(fc.tuple(index, index), { maxLength: 12 }),
    back: fc.array(fc.tuple(index, index), { maxLength: 2 }),
    any: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    dice: fc.array(fc.nat(1_000_000), { minLength: 50, maxLength: 50 }),
  });
});

function graphOf({ count, forward, back, any }: Drawn, joins: boolean): Skeleton {
  const edges: JsonObject[] = [];
  const add = (source: string, target: string): void => {
    const id = `${source}->${target}`;
    if (!edges.some((edge) => edge['id'] === id)) edges.push({ id, source, target });
  };
  for (let node = 1; node < count; node += 1) add(`n${Math.floor((node - 1) / 2)}`, `n${node}`);
  for (const [a, b] of forward) if (a !== b) add(`n${Math.min(a, b)}`, `n${Math.max(a, b)}`);
  for (const [a, b] of back) if (a !== b) add(`n${Math.max(a, b)}`, `n${Math.min(a, b)}`);
  const nodes = Array.from({ length: count }, (_, node) => ({
    id: `n${node}`,
    type: 'transformer',
    config: {},
    join: joins && any[node] === true ? 'any' : 'all',
  }));
  const definition = { nodes, edges: [{ id: 'start', source: '__start__', target: 'n0' }, ...edges] };
  return toSkeleton(compile(definition as unknown as JsonObject, fakeKinds), 1_000);
}

/** Which out-edges an execution takes: always the same. A loop comes round twice at most. */
function takenBy(
  graph: Skeleton,
  { dice }: Drawn,
  { node, visit }: { node: number; visit: number },
): number[] {
  return (graph.nodes[node]?.out ?? []).flatMap((edge, position) => {
    const roll = dice[(node * 7 + visit * 13 + position * 29) % dice.length] ?? 0;
    const isBack = (graph.edges[edge]?.[2] ?? -1) >= 0;
    return (isBack ? visit < 3 && roll % 2 === 0 : roll % 5 !== 0) ? [position] : [];
  });
}

interface Course {
  readonly drawn: Drawn;
  /** How many executions end; what is under way then is not ended. */
  readonly ends: number;
  /** Takes what is skipped, as `node:visit`. */
  readonly skips?: Set<string>;
}

/** Walks on, with executions that end in a drawn order. */
function walkOn(graph: Skeleton, progress: Progress, { drawn: from, ends, skips }: Course) {
  const note = (skipped: readonly number[]): void =>
    skipped.forEach((node) => skips?.add(`${node}:${progress.visits[node] ?? 0}`));
  const record: PastExecution[] = [];
  const running: { node: number; visit: number; position: number }[] = [];
  for (let count = 0; ; count += 1) {
    for (const node of progress.ready) {
      const execution = startNode(graph, progress, node);
      if (execution !== null) running.push({ node, ...execution });
    }
    if (count >= ends) break;
    const [next] = running.splice(
      (from.dice[count % from.dice.length] ?? 0) % Math.max(1, running.length),
      1,
    );
    if (next !== undefined) {
      const taken = takenBy(graph, from, next);
      note(settleNode(graph, progress, { ...next, taken }));
      record.push({ node: next.node, visit: next.visit, position: next.position, taken });
      continue;
    }
    const late = isQuiet(progress) ? resolveDeferred(graph, progress) : null;
    if (late === null) break;
    note(late);
  }
  for (const { node, visit, position } of running) record.push({ node, visit, position, taken: null });
  return record;
}

/** Where a walk is, without what was begun and has not ended. */
function resting(progress: Progress): object {
  const ready = new Set(progress.ready);
  const visits = [...progress.visits];
  const nodes = progress.nodes.map((state, node) => {
    if (state !== NODE.running) return state;
    ready.add(node);
    visits[node] = (visits[node] ?? 1) - 1;
    return NODE.idle;
  });
  const { edges, iterations, over, triggers } = progress;
  return { edges, iterations, over, triggers, nodes, visits, ready: [...ready].toSorted((a, b) => a - b) };
}

const NOTHING = { chosen: new Map<number, number>(), changed: new Set<number>() };

test('with nothing to run anew it is where the walk was', () => {
  fc.assert(
    fc.property(drawn, fc.nat(40), (from, ends) => {
      const graph = graphOf(from, true);
      const progress = createProgress(graph);
      const record = walkOn(graph, progress, { drawn: from, ends });
      const again = rewalk(graph, record, NOTHING);
      // The last that ended may have left the walk quiet: what waits for loops is decided with the next advance.
      for (const walk of [progress, again.progress]) if (isQuiet(walk)) resolveDeferred(graph, walk);
      expect(resting(again.progress)).toEqual(resting(progress));
      expect(again.lost).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('DEF-2.15: what was skipped in any round is skipped again, as the same visit', () => {
  fc.assert(
    fc.property(drawn, (from) => {
      const graph = graphOf(from, true);
      const skips = new Set<string>();
      const record = walkOn(graph, createProgress(graph), { drawn: from, ends: 1_000, skips });
      const again = rewalk(graph, record, NOTHING);
      const found = [...again.skipped].flatMap(([node, visits]) =>
        [...visits].map((visit) => `${node}:${visit}`),
      );
      // Nodes that wait for loops are skipped with the next advance.
      expect(isQuiet(again.progress)).toBe(true);
      for (const node of resolveDeferred(graph, again.progress) ?? [])
        found.push(`${node}:${again.progress.visits[node] ?? 0}`);
      expect(found.toSorted()).toEqual([...skips].toSorted());
    }),
    { numRuns: RUNS },
  );
});

test('what has ended and is skipped by now is neither kept nor lost', () => {
  const nodes = ['a', 'b', 'c'].map((id) => ({ id, type: 'transformer', config: {} }));
  const edges = [
    { id: 'start', source: '__start__', target: 'a' },
    { id: 'ab', source: 'a', target: 'b' },
    { id: 'ac', source: 'a', target: 'c', source_handle: 'other' },
  ];
  const graph = toSkeleton(compile({ nodes, edges } as unknown as JsonObject, fakeKinds), 1_000);
  // It went to b then, and goes to c now.
  const record = [
    { node: 0, visit: 1, position: 1, taken: [1] },
    { node: 1, visit: 1, position: 2, taken: [] },
  ];
  const again = rewalk(graph, record, NOTHING);
  expect(again).toMatchObject({ kept: [0], lost: [] });
  expect(again.skipped).toEqual(new Map([[1, new Set([1])]]));
  expect(again.progress.ready).toEqual([2]);
});

test('what is chosen is ready, and is not kept', () => {
  fc.assert(
    fc.property(drawn, fc.nat(), (all, pick) => {
      // What a loop has overtaken cannot be chosen: a rerun of it is refused.
      const from = { ...all, back: all.back.slice(0, 1) };
      const graph = graphOf(from, false);
      const record = walkOn(graph, createProgress(graph), { drawn: from, ends: 1_000 });
      const last = new Map(record.map((execution, index) => [execution.node, index]));
      const index = [...last.values()][pick % last.size] ?? 0;
      const { node, visit } = record[index] ?? { node: 0, visit: 1 };
      const again = rewalk(graph, record, { ...NOTHING, chosen: new Map([[node, visit]]) });
      expect(again.kept).not.toContain(index);
      expect(again.progress.ready).toContain(node);
      expect(again.progress.visits[node]).toBe(visit - 1);
    }),
    { numRuns: RUNS },
  );
});

test('without loops, what is kept and what runs then are the executions that there were', () => {
  fc.assert(
    fc.property(drawn, fc.nat(), (all, pick) => {
      // Branches of loops race each other: who comes first decides what runs.
      const from = { ...all, back: [] };
      const graph = graphOf(from, false);
      const record = walkOn(graph, createProgress(graph), { drawn: from, ends: 1_000 });
      const { node, visit } = record[pick % record.length] ?? { node: 0, visit: 1 };
      const again = rewalk(graph, record, { ...NOTHING, chosen: new Map([[node, visit]]) });
      expect(again.lost).toEqual([]);
      const kept = again.kept.flatMap((index) => record[index] ?? []);
      const rest = walkOn(graph, again.progress, { drawn: from, ends: 1_000 });
      const names = (executions: readonly PastExecution[]): string[] =>
        executions.map((execution) => `${execution.node}:${execution.visit}`).toSorted();
      expect(names([...kept, ...rest])).toEqual(names(record));
      const after = findReachable(graph, [node]);
      expect(kept.filter((execution) => after.has(execution.node))).toEqual([]);
      expect(rest.filter((execution) => !after.has(execution.node))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

/** Edges between so many nodes, in the order of a definition. */
type Shape = (count: number) => readonly (readonly [number, number])[];
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

const SHAPES: Readonly<Record<string, Shape>> = {
  'a line': (count) => range(count - 1).map((at) => [at, at + 1]),
  'a line with shortcuts': (count) =>
    range(count).flatMap((at) =>
      [1, 2, 3, 4, 5].flatMap((by) => (at + by < count ? [[at, at + by] as const] : [])),
    ),
  'a fan that joins in the order of its branches': (count) =>
    range(count - 2).flatMap((at) => [[0, at + 1] as const, [at + 1, count - 1] as const]),
  'a fan that joins in the other order': (count) => [
    ...range(count - 2).map((at) => [0, at + 1] as const),
    ...range(count - 2)
      .toReversed()
      .map((at) => [at + 1, count - 1] as const),
  ],
};

/** A graph and a walk of it to its end, with a count of how often its edges are looked at. */
function walked(shape: Shape, count: number, join: 'all' | 'any') {
  const edges = shape(count).map(([source, target], at) => ({
    id: `e${at}`,
    source: `n${source}`,
    target: `n${target}`,
  }));
  const nodes = range(count).map((node) => ({ id: `n${node}`, type: 'transformer', config: {}, join }));
  const definition = { nodes, edges: [{ id: 'start', source: '__start__', target: 'n0' }, ...edges] };
  const graph = toSkeleton(compile(definition as unknown as JsonObject, fakeKinds), 1_000_000);
  const dice = range(50).map((at) => at + 1);
  const drawnWalk = { count, forward: [], back: [], any: [], dice };
  const record = walkOn(graph, createProgress(graph), { drawn: drawnWalk, ends: Number.POSITIVE_INFINITY });
  let looks = 0;
  const counted = <T extends object>(list: T): T =>
    new Proxy(list, {
      get(target, key, self) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
        return Reflect.get(target, key, self) as unknown;
      },
    });
  const watched = {
    ...graph,
    edges: counted(graph.edges),
    nodes: graph.nodes.map((node) => ({ ...node, in: counted(node.in) })),
  };
  return { graph: watched, record, looksOf: (): number => looks, edges: edges.length };
}

test.each(
  Object.keys(SHAPES).flatMap((shape) =>
    (['all', 'any'] as const).flatMap((join) =>
      (['the first', 'the last', 'every'] as const).map((chosen) => ({ shape, join, chosen })),
    ),
  ),
)(
  'SEC-H05: $shape, joined by $join, is walked again from $chosen node in as many looks as it has edges',
  ({ shape, join, chosen }) => {
    for (const count of [50, 400]) {
      const { graph, record, looksOf, edges } = walked(SHAPES[shape] ?? (() => []), count, join);
      const ended = record.filter(({ taken }) => taken !== null);
      const picked =
        chosen === 'the first' ? ended.slice(0, 1) : chosen === 'the last' ? ended.slice(-1) : ended;
      const again = rewalk(graph, record, {
        ...NOTHING,
        chosen: new Map(picked.map(({ node, visit }) => [node, visit])),
      });
      for (const execution of picked) expect(again.kept).not.toContain(record.indexOf(execution));
      expect(looksOf()).toBeLessThan(8 * edges + 100);
    }
  },
);
