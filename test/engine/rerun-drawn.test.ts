/**
 * A rerun of some graph would call again what it reuses, or come to another state. `RERUN_GRAPHS` says how many
 * graphs are drawn.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '../../src/language/graph/schedule/plan.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { kindRules } from '../../src/language/nodes/registry.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { readInnerEffects } from '../../src/engine/runs/ledger/read/inner-effects.ts';
import { readPastSteps, readUpdates } from '../../src/engine/runs/ledger/read/past-run.ts';
import { ReusedState } from '../../src/engine/runs/rerun/reused-state.ts';
import { planRerun } from '../../src/engine/runs/rerun/rerun-plan.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { END, START, edge, http, node, transform, workflow } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { owner, runBy } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';

const GRAPHS = Number(process.env['RERUN_GRAPHS'] ?? 25);

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

interface Drawn {
  readonly kinds: readonly ('call' | 'map' | 'pure')[];
  readonly fails: readonly number[];
  readonly more: readonly (readonly [number, number])[];
  /** A loop from the second to the first. */
  readonly back: readonly [number, number] | null;
  readonly pick: number;
}

const drawn = fc.integer({ min: 3, max: 7 }).chain((count) => {
  const index = fc.integer({ min: 0, max: count - 1 });
  const many = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(each, { minLength: count, maxLength: count });
  return fc.record({
    kinds: many(fc.constantFrom('call' as const, 'call' as const, 'map' as const, 'pure' as const)),
    fails: many(fc.nat(99)),
    more: fc.array(fc.tuple(index, index), { maxLength: 5 }),
    back: fc.option(fc.tuple(index, index), { freq: 1 }),
    pick: fc.nat(),
  });
});

/** The graph: a tree and some more edges, each to a later node; a conditional `check` may go back once. */
class Graph {
  readonly tag = randomUUID();
  readonly definition: JsonObject;
  readonly links: (readonly [string, string])[] = [];
  readonly #drawn: Drawn;

  constructor(given: Drawn) {
    this.#drawn = given;
    const { kinds, more, back } = given;
    const add = (source: string, target: string): void => {
      if (!this.links.some(([from, to]) => from === source && to === target))
        this.links.push([source, target]);
    };
    for (let i = 1; i < kinds.length; i += 1) add(`n${(i - 1) >> 1}`, `n${i}`);
    for (const [a, b] of more) if (a !== b) add(`n${Math.min(a, b)}`, `n${Math.max(a, b)}`);
    const edges = [edge(START, 'n0'), ...this.links.map(([source, target]) => edge(source, target))];
    const nodes = kinds.map((_, i) => this.#node(i));
    if (back !== null) {
      const [head, tail] = [`n${Math.min(...back)}`, `n${Math.max(...back)}`];
      nodes.push(
        node('check', 'conditional', {
          mode: 'rules',
          cases: [
            { id: 'back', match: 'all', rules: [{ left: '{{loop.again.iteration}}', op: 'lt', right: 1 }] },
          ],
          default: 'else',
        }),
      );
      this.links.push([tail, 'check'], ['check', head]);
      edges.push(
        edge(tail, 'check'),
        edge('check', head, 'back', { id: 'again' }),
        edge('check', END, 'else'),
      );
    }
    const fields = Object.fromEntries(
      kinds.flatMap((_, i) => [[`f${i}`, { type: 'array', reducer: 'add' }] as const]),
    );
    const all = { ...fields, log: { type: 'object', reducer: 'update' } };
    this.definition = workflow(nodes, edges, { state_schema: { fields: all } });
  }

  #node(i: number): JsonObject {
    const { kinds, fails } = this.#drawn;
    const id = `n${i}`;
    const seen = Object.fromEntries(
      this.#before(id).map((other) => [other, `{{state.f${other.slice(1)}}}`] as const),
    );
    const envelope: JsonObject = {
      state_updates: { [`f${i}`]: '{{loop}}', log: { [id]: seen } },
      retry: { max_attempts: 1 },
    };
    if (kinds[i] === 'pure') return transform(id, seen, envelope);
    const roll = fails[i] ?? 0;
    const url = recorder.url(this.name(id), roll < 30 ? { fail: 1 } : {});
    const onError: JsonObject = roll < 10 ? { on_error: 'continue' } : {};
    if (kinds[i] === 'call') return http(id, url, { body: seen }, { ...envelope, ...onError });
    const mapped = { items: [1, 2, 3], max_concurrency: 1 };
    return http(id, url, { body: { item: '{{item}}' } }, { ...envelope, for_each: mapped });
  }

  /** The nodes that lead to one, over the edges that go forward. */
  #before(id: string): string[] {
    const found = new Set([id]);
    for (const at of found) for (const [source, target] of this.links) if (target === at) found.add(source);
    return [...found].filter((other) => other !== id && other !== 'check');
  }

  name(id: string): string {
    return `${this.tag}-${id}`;
  }

  /** A node, and all that it leads to. */
  after(ids: readonly string[]): Set<string> {
    const found = new Set(ids);
    for (const at of found) for (const [source, target] of this.links) if (source === at) found.add(target);
    return found;
  }

  calls(): Map<string, number> {
    const { kinds } = this.#drawn;
    const ids = kinds.flatMap((kind, i) => (kind === 'pure' ? [] : [`n${i}`]));
    return new Map(ids.map((id) => [id, recorder.calls(this.name(id)).length]));
  }
}

/** Runs again, and looks whom it has called. */
async function runAgain(graph: Graph, runPk: string, body: JsonObject): Promise<Played> {
  const before = graph.calls();
  const started = await rerun(engine, owner(engine), {
    runPk,
    body: rerunBody.parse(body),
    idempotencyKey: null,
  });
  const played = await engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
  const steps = await stepsOf(engine.db, played.accepted.runPk);
  for (const [id, count] of graph.calls()) {
    const own = steps.filter((step) => step.node_id === id);
    const worked = own.filter((step) => step.status === 'succeeded' || step.status === 'failed');
    const isMapped = own.some((step) => step.item_index >= 0);
    const expected = worked.filter((step) => step.item_index >= 0 === isMapped).length;
    expect([id, count - (before.get(id) ?? 0)]).toEqual([id, expected]);
  }
  return played;
}

/** What was done and does not come of `ids` has called nobody since. */
function expectUntouched(graph: Graph, ids: readonly string[], before: ReadonlyMap<string, number>): void {
  const again = graph.after(ids);
  for (const [id, count] of graph.calls())
    if (!again.has(id)) expect([id, count]).toEqual([id, before.get(id)]);
}

/** The fields that a rerun begins with are those that the run has left, byte for byte. */
async function expectSameState(graph: Graph, { runPk }: { readonly runPk: string }): Promise<void> {
  const plan = compile(graph.definition, kindRules);
  const steps = await readPastSteps(engine.db, runPk);
  const effects = await readInnerEffects(engine.db, runPk);
  const more = { isComplete: false };
  const of = { before: plan, after: plan, recursionLimit: 100, steps, effects, settled: [], ...more };
  const { reusedStepIds: kept } = planRerun(of, kindRules, { from: null, fromFailed: true, overrides: {} });
  const fields = new ReusedState({ after: plan, workflowInput: {}, runInput: {} });
  fields.add(await readUpdates(engine.db, kept));
  const { names, values } = fields.toFields();
  const rows = await engine.db.query<{ name: string; value: string }>(
    'SELECT name, value::text AS value FROM run_fields WHERE root_run_pk = $1',
    [runPk],
  );
  expect(new Map(names.map((name, i) => [name, values[i]]))).toEqual(
    new Map(rows.map(({ name, value }) => [name, value])),
  );
}

test(
  'of drawn graphs with drawn failures nothing is done twice, and the state is as it was',
  async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const graph = new Graph(given);
        let played = await engine.play(graph.definition);
        for (let round = 0; played.end.type === 'run_failed' && round < 8; round += 1) {
          const { accepted } = played;
          await expectSameState(graph, accepted);
          const steps = await stepsOf(engine.db, accepted.runPk);
          const failed = steps
            .filter((step) => step.outcome?.['failed'] === true)
            .map((step) => step.node_id);
          const done = steps.filter((step) => step.outcome !== null && step.outcome['failed'] === false);
          const before = graph.calls();
          played = await runAgain(graph, accepted.runPk, { from: 'failed' });
          const isDone = new Map(
            [...before].filter(([id]) => done.some((step) => step.node_id === id) && !failed.includes(id)),
          );
          const again = graph.after(failed);
          const now = graph.calls();
          for (const [id, count] of isDone)
            if (!again.has(id)) expect([id, now.get(id)]).toEqual([id, count]);
        }
        expect(played.end.type).toBe('run_completed');
        const from = `n${given.pick % given.kinds.length}`;
        const before = graph.calls();
        const again = await runAgain(graph, played.accepted.runPk, { from_node_id: from });
        expectUntouched(graph, [from], before);
        expect(again.end.type).toBe('run_completed');
        // It is called with what it was called with.
        const calls = recorder.calls(graph.name(from));
        const count = before.get(from) ?? 0;
        if (given.kinds[given.pick % given.kinds.length] === 'call')
          expect(JSON.stringify(calls[count]?.body)).toBe(JSON.stringify(calls[count - 1]?.body));
      }),
      { numRuns: GRAPHS, endOnFailure: true },
    );
  },
  GRAPHS * 20_000,
);
