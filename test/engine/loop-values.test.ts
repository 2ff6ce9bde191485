/** A node in a loop would read a value of an earlier round as if it were of this one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import { readPastValues } from '../../src/engine/runs/ledger/read/past-run.ts';
import { readStateSizes } from '../../src/engine/runs/ledger/read/run-record.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
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
import { owner, questionsOf, resume, runBy } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

/** The interpreter starts it itself, without an advance before it: no advance runs what may take this long. */
const LONG = { timeout_ms: 130_000 };
const LIST = { type: 'array', reducer: 'add', default: [] };
const isFirst = rule('{{loop.again.iteration}}', 'eq', 0);
const isLater = rule('{{loop.again.iteration}}', 'gt', 0);

/** The end of a loop of `rounds` rounds that begins at `head`, and the output of its run: what the rounds have seen. */
function rounds(
  { nodes, edges, last }: { nodes: JsonObject[]; edges: JsonObject[]; last: string },
  { head, count = 2 }: { readonly head: string; readonly count?: number },
): JsonObject {
  return workflow(
    [...nodes, conditional('more', when('yes', rule('{{loop.again.iteration}}', 'lt', count - 1)))],
    [...edges, edge(last, 'more'), edge('more', head, 'yes', { id: 'again' })],
    { state_schema: { fields: { seen: LIST } }, config: { output: '{{state.seen}}' } },
  );
}

async function again(played: Played, body: JsonObject): Promise<Played> {
  const request = { runPk: played.accepted.runPk, body: rerunBody.parse(body), idempotencyKey: null };
  const started = await rerun(engine, owner(engine), request);
  return engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
}

describe('DEF-2.15: what a round skips', () => {
  const DECIDERS: Readonly<Record<string, (url: string) => JsonObject>> = {
    'a pure node': () => transform('t'),
    'a short call': (url) => http('t', url),
    'a long call': (url) => http('t', url, {}, LONG),
  };
  const body = { body: { from: '{{a.from}}', or: '{{a.from | default("nothing")}}' } };
  const MAPPED = { for_each: { items: [1] } };
  const READERS: Readonly<Record<string, (url: string, more: JsonObject) => JsonObject>> = {
    'a short call': (url, more) => http('see', url, body, more),
    'a long call': (url, more) => http('see', url, body, { ...LONG, ...more }),
    'items that are short calls': (url, more) => http('see', url, body, { ...MAPPED, ...more }),
    'items that are long calls': (url, more) => http('see', url, body, { ...LONG, ...MAPPED, ...more }),
  };
  const pairs = Object.keys(DECIDERS).flatMap((decider) =>
    Object.keys(READERS).map((reader) => [decider, reader] as const),
  );

  test.each(pairs)('%s skips a node, and %s that becomes ready with that reads nothing', async (by, who) => {
    const name = randomUUID();
    const seen = { state_updates: { seen: { from: '{{a.from}}' } } };
    const played = await engine.play(
      rounds(
        {
          nodes: [
            DECIDERS[by]?.(recorder.url(randomUUID())) ?? {},
            transform('a', { from: 'round {{loop.again.iteration}}' }),
            READERS[who]?.(recorder.url(name), seen) ?? {},
          ],
          edges: [
            edge(START, 't'),
            edge('t', 'a', undefined, { when: isFirst }),
            edge('t', 'see', undefined, { when: isLater }),
            edge('a', 'see'),
          ],
          last: 'see',
        },
        { head: 't', count: 3 },
      ),
    );
    expect(played.output).toEqual([{ from: 'round 0' }, { from: null }, { from: null }]);
    expect(recorder.calls(name).map((call) => call.body)).toEqual([
      { from: 'round 0', or: 'round 0' },
      { from: null, or: 'nothing' },
      { from: null, or: 'nothing' },
    ]);
    expect((await stepsOf(engine.db, played.accepted.runPk, 'a')).map((step) => step.status)).toEqual([
      'succeeded',
      'skipped',
      'skipped',
    ]);
  });

  test('has no value for merges, rules and the whole state', async () => {
    const call = http('t', recorder.url(randomUUID()));
    const nodes = [
      call,
      transform('a', { from: 'a{{loop.again.iteration}}' }),
      transform('b', { from: 'b{{loop.again.iteration}}' }),
      node('either', 'transformer', { mode: 'merge', sources: ['{{a.from}}', '{{b.from}}'] }),
      conditional('is', when('there', rule('{{a}}', 'exists'))),
      transform('see', {
        either: '{{either.value}}',
        is: '{{is.selected}}',
        all: '{{state}}',
        b: '{{state.b}}',
      }),
    ].map((each) => (each['id'] === 'see' ? { ...each, state_updates: { seen: '{{see}}' } } : each));
    const played = await engine.play(
      rounds(
        {
          nodes,
          edges: [
            edge(START, 't'),
            edge('t', 'a', undefined, { when: isFirst }),
            edge('t', 'b', undefined, { when: isLater }),
            edge('a', 'either'),
            edge('b', 'either'),
            edge('either', 'is'),
            edge('is', 'see', 'there'),
            edge('is', 'see', 'else'),
          ],
          last: 'see',
        },
        { head: 't' },
      ),
    );
    const [first, second] = played.output as { all: JsonObject }[];
    expect(first).toMatchObject({ either: 'a0', is: 'there', b: null, all: { a: { from: 'a0' } } });
    expect(first?.all).not.toHaveProperty('b');
    expect(second).toMatchObject({ either: 'b1', is: 'else', b: { from: 'b1' }, all: { b: { from: 'b1' } } });
    expect(second?.all).not.toHaveProperty('a');
  });

  test('an approval of the first round does not count for a round without a question', async () => {
    const name = randomUUID();
    const asked = await engine.play(
      rounds(
        {
          nodes: [
            conditional('head', when('first', isFirst)),
            node('ask', 'interrupt', { kind: 'approval', title: 'Pay?', actions: [{ id: 'approve' }] }),
            conditional('gate', when('approved', rule('{{ask.action}}', 'eq', 'approve'))),
            http('pay', recorder.url(name), { body: { round: '{{loop.again.iteration}}' } }),
            transform('keep'),
            transform('see', {}, { state_updates: { seen: '{{gate.selected}}' } }),
          ],
          edges: [
            edge(START, 'head'),
            edge('head', 'ask', 'first'),
            edge('head', 'gate', 'else'),
            edge('ask', 'gate'),
            edge('gate', 'pay', 'approved'),
            edge('gate', 'keep', 'else'),
            edge('pay', 'see'),
            edge('keep', 'see'),
          ],
          last: 'see',
        },
        { head: 'head' },
      ),
    );
    expect(asked.end.type).toBe('run_interrupted');
    const interruptId = questionsOf(asked)['ask'] ?? '';
    const played = await resume(engine, asked, { interrupt_id: interruptId, action: 'approve' });
    expect(played.output).toEqual(['approved', 'else']);
    expect(recorder.calls(name).map((call) => call.body)).toEqual([{ round: 0 }]);
  });

  test('an error of the first round is not told in the next', async () => {
    const played = await engine.play(
      rounds(
        {
          nodes: [
            conditional('head', when('first', isFirst)),
            http('a', recorder.url(randomUUID(), { status: 404 }), {}, { on_error: 'continue' }),
            transform('see', { code: '{{a.error.code}}' }, { state_updates: { seen: '{{see.code}}' } }),
          ],
          edges: [
            edge(START, 'head'),
            edge('head', 'a', 'first'),
            edge('head', 'see', 'else'),
            edge('a', 'see'),
          ],
          last: 'see',
        },
        { head: 'head' },
      ),
    );
    expect(played.output).toEqual(['http_error', null]);
  });

  test('a node that is switched off has no value either, and strict templates do not miss it', async () => {
    const name = randomUUID();
    const played = await engine.play({
      ...workflow(
        [
          transform('off', { x: 1 }, { disabled: true }),
          transform('pure', { x: '{{off.x}}', all: '{{state}}' }),
          http('call', recorder.url(name), { body: { x: '{{off.x}}', all: '{{state}}' } }),
        ],
        [edge(START, 'off'), edge('off', 'pure'), edge('pure', 'call')],
      ),
      config: { strict_templates: true, output: { x: '{{off.x}}', off: '{{off}}', pure: '{{pure}}' } },
    });
    expect(played.error).toBeNull();
    expect(played.output).toEqual({ x: null, off: null, pure: { x: null, all: {} } });
    expect(recorder.calls(name)[0]?.body).toEqual({ x: null, all: { pure: { x: null, all: {} } } });
  });

  test('does not count as what reached the end, in the output of the run, its record and a node that is tried', async () => {
    const definition = workflow(
      [
        transform('head'),
        http('a', recorder.url(randomUUID())),
        transform('b', { from: 'round {{loop.again.iteration}}' }),
        conditional('more', when('yes', isFirst)),
      ],
      [
        edge(START, 'head'),
        edge('head', 'a', undefined, { when: isFirst }),
        edge('head', 'b'),
        edge('a', END),
        edge('a', 'more'),
        edge('b', 'more'),
        edge('b', END),
        edge('more', 'head', 'yes', { id: 'again' }),
      ],
    );
    const played = await engine.play(definition);
    expect(played.output).toEqual({ from: 'round 1' });
    const { runPk } = played.accepted;
    const names = async (values: Promise<readonly { readonly name: string }[]>): Promise<string[]> =>
      (await values).map(({ name }) => name).toSorted();
    expect(await names(readStateSizes(engine.db, runPk))).toEqual(['b', 'head', 'more']);
    const past = readPastValues(engine.db, runPk, null);
    expect(await names(past)).toEqual(['b', 'head', 'more']);
  });

  test('a mapped node has no results either', async () => {
    const name = randomUUID();
    const map = http('a', recorder.url(name), {}, { for_each: { items: [1, 2] } });
    const played = await engine.play(
      rounds(
        {
          nodes: [
            http('t', recorder.url(randomUUID())),
            map,
            transform('see', {}, { state_updates: { seen: '{{a.count}}' } }),
          ],
          edges: [
            edge(START, 't'),
            edge('t', 'a', undefined, { when: isFirst }),
            edge('t', 'see', undefined, { when: isLater }),
            edge('a', 'see'),
          ],
          last: 'see',
        },
        { head: 't' },
      ),
    );
    expect(played.output).toEqual([2, null]);
    expect(recorder.calls(name)).toHaveLength(2);
  });
});

test('DEF-2.15: what a round has not come to yet keeps its value of the round before', async () => {
  const name = randomUUID();
  const played = await engine.play(
    rounds(
      {
        nodes: [
          transform('head', { before: '{{work.n}}' }, { state_updates: { seen: '{{head.before}}' } }),
          http('call', recorder.url(name), { body: { before: '{{work.n}}' } }),
          transform('work', { n: 'round {{loop.again.iteration}}' }),
        ],
        edges: [edge(START, 'head'), edge('head', 'call'), edge('call', 'work')],
        last: 'work',
      },
      { head: 'head', count: 3 },
    ),
  );
  const carried = [null, 'round 0', 'round 1'];
  expect(played.output).toEqual(carried);
  expect(recorder.calls(name).map((call) => call.body)).toEqual(carried.map((before) => ({ before })));
});

test('DEF-2.15: a rerun reads what the run has read, skips of earlier rounds included', async () => {
  const [name, broken] = [randomUUID(), randomUUID()];
  const body = { body: { round: '{{loop.again.iteration}}', a: '{{a.from}}' } };
  const definition = rounds(
    {
      nodes: [
        // The third round fails at its head, before it comes to the node that the second has skipped.
        http('head', recorder.url(name), body),
        conditional('third', when('yes', rule('{{loop.again.iteration}}', 'eq', 2))),
        http('breaks', recorder.url(broken, { fail: 1 }), body, { retry: { max_attempts: 1 } }),
        conditional('first', when('yes', isFirst)),
        transform('a', { from: 'round {{loop.again.iteration}}' }),
        transform('see', {}, { state_updates: { seen: '{{a.from}}' } }),
      ],
      edges: [
        edge(START, 'head'),
        edge('head', 'third'),
        edge('third', 'breaks', 'yes'),
        edge('third', 'first', 'else'),
        edge('breaks', 'first'),
        edge('first', 'a', 'yes'),
        edge('first', 'see', 'else'),
        edge('a', 'see'),
      ],
      last: 'see',
    },
    { head: 'head', count: 3 },
  );
  const first = await engine.play(definition);
  expect(first.error).toMatchObject({ node_id: 'breaks' });
  const second = await again(first, { from: 'failed' });
  expect(second.output).toEqual(['round 0', null, null]);
  expect(recorder.calls(broken).map((call) => call.body)).toEqual([
    { round: 2, a: null },
    { round: 2, a: null },
  ]);
  const skips = second.of('node_skipped').map((frame) => frame['node_id']);
  expect(skips.toSorted()).toEqual(['a', 'a', 'breaks', 'breaks']);
});
