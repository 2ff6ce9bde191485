/** A run would wait for a service that has called back, take two answers for one, or one that is not its own. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/language/graph/values/value.ts';
import { answerCallback, findCallback, type CallbackOutcome } from '../../src/engine/runs/accept/callback.ts';
import { readCallbackToken } from '../../src/engine/runs/accept/callback-address.ts';
import {
  chain,
  conditional,
  edge,
  END,
  http,
  node,
  rule,
  START,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, closedAs, eventually, nextSegment, questionsOf, resume } from '../support/journeys.ts';

const SECRET = 'a secret of callbacks that is long enough for anybody';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  const environment = { API_KEY_SECRET: SECRET, APP_URL: 'https://flows.example' };
  ({ engine, recorder } = await startEngineWithRecorder(environment));
});
afterAll(() => engine.close());

const callback = (id: string, more: JsonObject = {}): JsonObject =>
  node(id, 'interrupt', { kind: 'callback', ...more });
const handOn = (id: string, tag: string, of = 'paid'): JsonObject =>
  http(id, recorder.url(tag), { body: { url: `{{${of}.callback_url}}` } });

/** The token that an HTTP node has handed to the recorder. */
async function tokenAt(tag: string, number = 1): Promise<string> {
  const calls = await recorder.waitFor(tag, number);
  const handed = calls[number - 1];
  const { url } = (handed?.body ?? {}) as { url: string };
  expect(url).toMatch(/^https:\/\/flows\.example\/callbacks\/[\w.-]+$/);
  return new URL(url).pathname.slice('/callbacks/'.length);
}
const call = async (token: string, data: Json): Promise<CallbackOutcome> =>
  answerCallback(engine, await findCallback(engine, readCallbackToken(SECRET, token)), data);
const refused = (status: number) => expect.objectContaining({ failure: expect.objectContaining({ status }) });

/** The segment that goes on after a run that waited. */
async function followNext(played: Played): Promise<Played> {
  return engine.follow(await nextSegment(engine, played));
}

/** A run that has handed on its address and waits for a call. */
async function startWaiting(
  more: JsonObject = {},
): Promise<{ readonly played: Played; readonly token: string }> {
  const tag = randomUUID();
  const played = await engine.play(
    chain(
      handOn('hand_on', tag),
      callback('paid', more),
      transform('last', { amount: '{{paid.data.amount}}' }),
    ),
  );
  expect(played.end.type).toBe('run_interrupted');
  return { played, token: await tokenAt(tag) };
}

describe('a callback', () => {
  test('its body is the data of the node, and the run goes on', async () => {
    const { played, token } = await startWaiting({ title: 'Payment' });
    expect(played.of('interrupt', 'paid')[0]).toMatchObject({
      kind: 'callback',
      title: 'Payment',
      actions: [],
    });
    expect(await call(token, { amount: 12 })).toBe('delivered');
    const next = await followNext(played);
    expect(next.of('interrupt_resolved')).toHaveLength(1);
    expect(next.output).toEqual({ amount: 12 });
    expect(await closedAs(engine, played.accepted)).toBe('COMPLETED');
  });

  test('of fifty calls at once one wins; the others and all later ones are gone', async () => {
    const { played, token } = await startWaiting();
    const calls = await Promise.allSettled(
      Array.from({ length: 50 }, (_, amount) => call(token, { amount })),
    );
    const won = calls.flatMap((each, amount) => (each.status === 'fulfilled' ? [amount] : []));
    expect(won).toHaveLength(1);
    const lost = calls.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(lost).toEqual(Array.from({ length: 49 }, () => refused(410)));
    expect((await followNext(played)).output).toEqual({ amount: won[0] });
    await expect(call(token, {})).rejects.toEqual(refused(410));
  });

  test('a call that comes before the node waits is kept, once, and the run never pauses', async () => {
    const [first, slow] = [randomUUID(), randomUUID()];
    const accepted = await engine.accept(
      chain(
        handOn('hand_on', first),
        http('slow', recorder.url(slow, { hold: 1 })),
        callback('paid'),
        transform('last', { amount: '{{paid.data.amount}}' }),
      ),
    );
    const token = await tokenAt(first);
    await recorder.waitFor(slow, 1);
    expect(await call(token, { amount: 1 })).toBe('kept');
    await expect(call(token, { amount: 2 })).rejects.toEqual(refused(410));
    recorder.release((each) => each.tag === slow);
    const played = await engine.follow(accepted);
    expect(played.end.type).toBe('run_completed');
    expect(played.output).toEqual({ amount: 1 });
    expect(played.of('interrupt').map((frame) => frame['kind'])).toEqual(['callback']);
    await expect(call(token, { amount: 3 })).rejects.toEqual(refused(410));
    expect(await engine.db.query('SELECT 1 FROM callback_answers')).toEqual([]);
  });

  test('a call while other branches run is taken in the same segment', async () => {
    const [tag, slow] = [randomUUID(), randomUUID()];
    const accepted = await engine.accept(
      workflow(
        [
          handOn('hand_on', tag),
          callback('paid'),
          http('slow', recorder.url(slow, { hold: 1 })),
          transform('last', { amount: '{{paid.data.amount}}', slow: '{{slow.status}}' }),
        ],
        [
          edge(START, 'hand_on'),
          edge('hand_on', 'paid'),
          edge('hand_on', 'slow'),
          edge('paid', 'last'),
          edge('slow', 'last'),
          edge('last', END),
        ],
      ),
    );
    const token = await tokenAt(tag);
    await recorder.waitFor(slow, 1);
    await eventually(async () => {
      const [open] = await engine.db.query('SELECT 1 FROM run_interrupts WHERE root_run_pk = $1', [
        accepted.runPk,
      ]);
      return open;
    });
    expect(await call(token, { amount: 5 })).toBe('delivered');
    await eventually(async () => {
      const [taken] = await engine.db.query(
        `SELECT 1 FROM run_interrupts WHERE root_run_pk = $1 AND status = 'consumed'`,
        [accepted.runPk],
      );
      return taken;
    });
    recorder.release((each) => each.tag === slow);
    expect((await engine.follow(accepted)).output).toEqual({ amount: 5, slow: 200 });
  });

  test('a loop has a new address for each iteration, and the old ones are gone', async () => {
    const tag = randomUUID();
    const first = await engine.play(
      workflow(
        [
          handOn('hand_on', tag),
          callback('paid'),
          conditional('again', when('more', rule('{{paid.data.more}}', 'is_true'))),
          transform('last', { more: '{{paid.data.more}}' }),
        ],
        [
          edge(START, 'hand_on'),
          edge('hand_on', 'paid'),
          edge('paid', 'again'),
          edge('again', 'hand_on', 'more'),
          edge('again', 'last', 'else'),
        ],
      ),
    );
    const one = await tokenAt(tag);
    await call(one, { more: true });
    const second = await followNext(first);
    expect(second.end.type).toBe('run_interrupted');
    const two = await tokenAt(tag, 2);
    expect(two).not.toBe(one);
    await expect(call(one, {})).rejects.toEqual(refused(410));
    await call(two, { more: false });
    expect((await followNext(second)).output).toEqual({ more: false });
  });

  test('one that nobody calls in time takes its timeout edge, and a late call is gone', async () => {
    const { played, token } = await startWaiting({
      timeout_seconds: 1,
      on_timeout: 'default',
      default_response: { data: { amount: 0 } },
    });
    expect((await followNext(played)).output).toEqual({ amount: 0 });
    await expect(call(token, { amount: 1 })).rejects.toEqual(refused(410));
  });

  test('a call to a cancelled run is gone, also before its node has waited', async () => {
    const { played, token } = await startWaiting();
    await cancel(engine, played.accepted);
    await expect(call(token, {})).rejects.toEqual(refused(410));
    const [tag, slow] = [randomUUID(), randomUUID()];
    const accepted = await engine.accept(
      chain(handOn('hand_on', tag), http('slow', recorder.url(slow, { hold: 1 })), callback('paid')),
    );
    const early = await tokenAt(tag);
    await recorder.waitFor(slow, 1);
    await cancel(engine, accepted);
    recorder.release((each) => each.tag === slow);
    await expect(call(early, {})).rejects.toEqual(refused(410));
  });

  test('a forged token is not found, nor one of another run, secret, purpose or organization', async () => {
    const { played, token } = await startWaiting();
    const [place = '', mac = ''] = token.split('.');
    const text = Buffer.from(place, 'base64url').toString();
    const other = (changed: string): string => `${Buffer.from(changed).toString('base64url')}.${mac}`;
    const forged = [
      '',
      place,
      `${place}.`,
      `${place}.${'A'.repeat(43)}`,
      `${token}A`,
      other(text.replace(played.accepted.runPk, randomUUID())),
      other(text.replace(engine.organizationId, randomUUID())),
      other(text.replace('/1/', '/2/')),
      other(`${text}2`),
    ];
    for (const each of forged) expect(readCallbackToken(SECRET, each), each).toBeNull();
    expect(readCallbackToken('another secret', token)).toBeNull();
    await expect(call(forged[3] ?? '', {})).rejects.toEqual(refused(404));
    const own = readCallbackToken(SECRET, token);
    if (own === null) throw new Error('the token is not read');
    await expect(findCallback(engine, { ...own, organizationId: randomUUID() })).rejects.toEqual(
      refused(404),
    );
    await expect(findCallback(engine, { ...own, rootRunPk: randomUUID() })).rejects.toEqual(refused(404));
  });

  test('a member may answer in place of the service; the service comes too late then', async () => {
    const { played, token } = await startWaiting();
    const next = await resume(engine, played, {
      interrupt_id: questionsOf(played)['paid'] ?? '',
      data: { amount: 9 },
    });
    expect(next.output).toEqual({ amount: 9 });
    await expect(call(token, {})).rejects.toEqual(refused(410));
  });

  test('its token is in no frame, record or state, but where the template puts it', async () => {
    const { played, token } = await startWaiting();
    await call(token, { amount: 1 });
    const next = await followNext(played);
    // The recorder echoes the body that the template has put the address into.
    const others = [...played.frames, ...next.frames].filter((frame) => frame['node_id'] !== 'hand_on');
    expect(JSON.stringify(others)).not.toContain(token);
    const rows = await engine.db.query<{ text: string }>(
      `SELECT row_to_json(s)::text AS text FROM run_steps s WHERE root_run_pk = $1 AND node_id <> 'hand_on'
       UNION ALL SELECT row_to_json(i)::text FROM run_interrupts i WHERE root_run_pk = $1
       UNION ALL SELECT row_to_json(r)::text FROM runs r WHERE root_run_pk = $1`,
      [played.accepted.runPk],
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(token);
  });
});
