/**
 * A rehearsal would say "same" of a version that goes another way, or would send something. `REHEARSED_GRAPHS` says how many graphs are
 * drawn: of each, a run is rehearsed in a changed definition, which then really runs in a world that gives the recorded answers. The run as
 * a file, walked by the command line, would say something else.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { prepareDefinition } from '../../src/engine/runs/walk/ready-plan.ts';
import type { RehearsedRun } from '../../src/engine/runs/rehearse/compare-walks.ts';
import { toCase, type RunCase } from '../../src/engine/runs/rehearse/case.ts';
import { readRecordedRun } from '../../src/engine/runs/ledger/read/recorded-run.ts';
import { rehearseRun } from '../../src/features/workflows/rehearsals/rehearse-run.ts';
import { CaseWalker } from '../../src/surfaces/cli/case-walk.ts';
import {
  END,
  START,
  conditional,
  edge,
  http,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { stepsOf } from '../support/records.ts';

const GRAPHS = Number(process.env['REHEARSED_GRAPHS'] ?? 15);

let engine: TestEngine;
let recorder: HttpRecorder;
const walker = new CaseWalker();
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(async () => {
  await walker.close();
  await engine.close();
});

const KINDS = ['call', 'read', 'map', 'pure', 'choice', 'code'] as const;
/** A change of the definition: of one node, or none. */
const CHANGES = ['nothing', 'words', 'value', 'url', 'rule', 'label', 'removed', 'added', 'error'] as const;

const drawn = fc.integer({ min: 2, max: 6 }).chain((count) => {
  const index = fc.integer({ min: 0, max: count - 1 });
  const many = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(each, { minLength: count, maxLength: count });
  return fc.record({
    kinds: many(fc.constantFrom(...KINDS)),
    /** What the world answers, by node: its number, or a failure. */
    answers: many(fc.integer({ min: 0, max: 9 })),
    more: fc.array(fc.tuple(index, index), { maxLength: 4 }),
    hasLoop: fc.boolean(),
    change: fc.constantFrom(...CHANGES),
    at: index,
    input: fc.integer({ min: 0, max: 3 }),
  });
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A tree with some more edges, each to a later node. @param change of the node `at` */
function draw(
  { kinds, answers, more, hasLoop, at, change: wanted }: Drawn,
  tag: string,
  isChanged: boolean,
): JsonObject {
  const links: (readonly [number, number, string | undefined])[] = [];
  const add = (source: number, target: number): void => {
    if (links.some(([from, to]) => from === source && to === target)) return;
    links.push([
      source,
      target,
      kinds[source] === 'choice' ? (target % 2 === 0 ? 'yes' : 'else') : undefined,
    ]);
  };
  for (let i = 1; i < kinds.length; i += 1) add((i - 1) >> 1, i);
  for (const [a, b] of more) if (a !== b) add(Math.min(a, b), Math.max(a, b));
  const nodes = kinds.map((kind, i): JsonObject => {
    const change = isChanged && i === at ? wanted : 'nothing';
    const id = `n${i}`;
    const parents = links.filter(([, to]) => to === i).map(([from]) => `n${from}`);
    const seen: JsonObject = Object.fromEntries(parents.map((from) => [from, `{{${from}}}`]));
    if (change === 'words') seen['words'] = 'other words';
    if (change === 'value') seen['given'] = '{{input.n}}';
    const answer = answers[i] ?? 0;
    const failing = answer < 1;
    const url = recorder.url(`${tag}-${id}`, {
      ...(failing ? { status: 404 } : {}),
      reply: JSON.stringify({ v: answer }),
      ...(change === 'url' ? { other: 1 } : {}),
    });
    const envelope: JsonObject = {
      state_updates: { log: { [id]: `{{${id}}}` } },
      retry: { max_attempts: 1 },
      on_error: (change === 'error') === failing ? 'fail' : 'continue',
      ...(change === 'label' ? { name: 'Another name' } : {}),
    };
    switch (kind) {
      case 'call':
        return http(id, url, { body: seen }, envelope);
      case 'read':
        return http(id, url, { method: 'GET' }, envelope);
      case 'map':
        return http(
          id,
          url,
          { body: { item: '{{item}}', ...seen } },
          { ...envelope, for_each: { items: [1, 2], max_concurrency: 2 } },
        );
      case 'pure':
        return transform(id, seen, envelope);
      case 'code': {
        const code = `export default (given) => ({ size: JSON.stringify(given).length${change === 'rule' ? ' + 1' : ''} })`;
        return node(id, 'function', { code, arguments: seen }, envelope);
      }
      case 'choice': {
        const limit = change === 'rule' ? 1 : 2;
        return { ...conditional(id, when('yes', rule('{{input.n}}', 'gte', limit))), ...envelope };
      }
    }
  });
  const edges = [
    edge(START, 'n0'),
    ...links
      .filter(
        ([, to]) =>
          !(isChanged && wanted === 'removed' && to === at && links.some(([, other]) => other > to)),
      )
      .map(([from, to, handle]) => edge(`n${from}`, `n${to}`, handle)),
  ];
  const last = kinds.length - 1;
  if (hasLoop) {
    const again = rule('{{loop.again.iteration}}', 'lt', 1);
    nodes.push(conditional('check', when('back', again)));
    edges.push(edge(`n${last}`, 'check', kinds[last] === 'choice' ? 'else' : undefined));
    edges.push(edge('check', `n${last}`, 'back', { id: 'again' }), edge('check', END, 'else'));
  }
  if (isChanged && wanted === 'added') {
    nodes.push(http('more', recorder.url(`${tag}-more`), { body: {} }, { retry: { max_attempts: 1 } }));
    edges.push(edge(`n${at}`, 'more', kinds[at] === 'choice' ? 'yes' : undefined));
  }
  return workflow(nodes, edges, { state_schema: { fields: { log: { type: 'object', reducer: 'update' } } } });
}

const runOf = (played: Played) => ({
  organizationId: engine.organizationId,
  rootRunPk: played.accepted.runPk,
});

const rehearse = (played: Played, definition: JsonObject): Promise<RehearsedRun | null> =>
  rehearseRun(engine.deps, runOf(played), prepareDefinition(definition));

/** The run as a file. */
async function toFile(played: Played, definition: JsonObject): Promise<RunCase> {
  const record = await readRecordedRun(engine.db, runOf(played));
  if (record === null) throw new Error('The run has no record');
  return JSON.parse(JSON.stringify(toCase(record, definition, []))) as RunCase;
}

/** The executions of a run, without those of its items, as texts. */
async function walkOf({ accepted }: Played): Promise<string[]> {
  const steps = await stepsOf(engine.db, accepted.runPk);
  return steps
    .filter((step) => step.item_index < 0 && step.outcome !== null)
    .map((step) => `${step.node_id} ${step.visit} ${step.status} ${step.selected_handle ?? ''}`)
    .toSorted();
}

/** What the world was asked, as texts without what differs between any two runs. */
const askedOf = (tag: string, from: number): string[] =>
  recorder
    .calls()
    .slice(from)
    .filter((call) => call.tag.startsWith(tag))
    .map(({ tag: of, method, query, body }) => toText([of, method, query, body as Json]))
    .toSorted();

/** Without the dates in the answers, which this world cannot repeat. */
const toText = (value: Json): string => JSON.stringify(value).replaceAll(/"date":"[^"]+"/g, '"date":""');

const outputOf = ({ end }: Played): string =>
  end['type'] === 'run_completed' ? toText(end['output'] ?? null) : String(end['type']);

test(
  'what a rehearsal calls the same goes the same way, sends the same and ends with the same; it sends nothing itself; and a file says the same as the service',
  async () => {
    const verdicts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const tag = randomUUID();
        const before = draw(given, tag, false);
        const after = draw(given, tag, true);
        const input = { n: given.input };
        const began = recorder.calls().length;
        const played = await engine.play(before, input);
        const asked = askedOf(tag, began);
        const sentBefore = recorder.calls().length;
        const own = await rehearse(played, before);
        const other = await rehearse(played, after);
        expect(recorder.calls().length).toBe(sentBefore);
        expect(own).toMatchObject({ verdict: 'same', differences: [] });
        const file = await toFile(played, before);
        expect((await walker.walk(file, before)).found).toEqual(own);
        const { found, updated } = await walker.walk(file, after);
        expect([found.verdict, found.doubt]).toEqual([other?.verdict, other?.doubt]);
        if (updated !== null)
          expect((await walker.walk(updated, after)).found).toMatchObject({
            verdict: 'same',
            differences: [],
          });
        expect(recorder.calls().length).toBe(sentBefore);
        verdicts.set(other?.verdict ?? '', (verdicts.get(other?.verdict ?? '') ?? 0) + 1);
        if (other?.verdict !== 'same') return;
        const again = await engine.play(after, input);
        expect(askedOf(tag, sentBefore)).toEqual(asked);
        expect(await walkOf(again)).toEqual(await walkOf(played));
        expect(outputOf(again)).toEqual(outputOf(played));
      }),
      { numRuns: GRAPHS, endOnFailure: true },
    );
    // A property over nothing holds: some of each kind were drawn.
    expect(verdicts.get('same')).toBeGreaterThan(0);
  },
  GRAPHS * 20_000,
);
