/** A change of the outside that the ledger of effects does not tell, or tells otherwise. All servers are real, on loopback. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteTree } from '../../src/engine/runs/ledger/erase/delete-runs.ts';
import { deleteValues } from '../../src/engine/runs/ledger/erase/delete-values.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import type { EffectRow } from '../../src/engine/runs/ledger/write/effects.ts';
import type { NodeOutcome, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { createNodeActivities } from '../../temporal/activities/nodes.ts';
import { sink, type Sink } from '../platform/outbound/support.ts';
import { firstTask } from '../support/advancing.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { cancel, childOf, deploy } from '../support/journeys.ts';
import { startMcpServer, type McpServer } from '../support/mcp-server.ts';
import type { ModelServer } from '../support/model-server.ts';
import { newRun } from '../support/runs.ts';
import { startOtherWorker } from '../support/workers.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
let forbidden: Sink;
let mcp: McpServer;
beforeAll(async () => {
  [forbidden, mcp] = await Promise.all([
    sink(),
    startMcpServer([{ name: 'book', answer: () => ({ content: [], structuredContent: { ok: true } }) }]),
  ]);
  ({ engine, recorder, model } = await startEngineWithModel({
    OUTBOUND_ALLOW: `127.0.0.1:${forbidden.port},${mcp.hostPort}`,
  }));
  const refuse = (left: string, right: string): string => JSON.stringify([{ left, op: 'eq', right }]);
  await engine.db.query(
    `INSERT INTO effect_rules (organization_id, position, decision, name, condition)
     VALUES ($1, 0, 'refuse', 'Not there', $2), ($1, 1, 'refuse', 'No strangers', $3)`,
    [
      engine.organizationId,
      refuse('{{host}}', `127.0.0.1:${forbidden.port}`),
      refuse('{{target.address}}', 'eve@outside.example'),
    ],
  );
});
afterAll(async () => {
  await engine.close();
  await Promise.all([forbidden.close(), mcp.close()]);
});

type Row = EffectRow & {
  readonly organization_id: string;
  readonly item_index: number;
  readonly turn: number;
};
const readRows = (runPk: string): Promise<Row[]> =>
  engine.db.query<Row>(
    `SELECT e.*, s.item_index, s.turn FROM run_effects e JOIN run_steps s ON s.step_id = e.step_id
     WHERE e.run_pk = $1 ORDER BY e.node_id, s.item_index, e.attempt, e.number`,
    [runPk],
  );
const tag = (): string => randomUUID();
async function play(...nodes: JsonObject[]): Promise<Row[]> {
  const { accepted } = await engine.play(chain(...nodes));
  return readRows(accepted.runPk);
}

describe('a run', () => {
  test('REL-effect-ledger: each class but that of reads is a row of its run, with the digest of what was sent and without the request', async () => {
    const url = recorder.url(tag());
    const secret = `card-${tag()}`;
    const rows = await play(
      http('a_once', url, { body: { secret } }),
      http('b_least', url, { effect: 'at_least_once' }),
      http('c_key', url, { method: 'PUT' }),
      http('d_read', url, { method: 'GET' }),
      transform('e_pure', { x: 1 }),
    );
    expect(rows.map(({ node_id, effect, outcome }) => [node_id, effect, outcome])).toEqual([
      ['a_once', 'at_most_once', 'done'],
      ['b_least', 'at_least_once', 'done'],
      ['c_key', 'idempotent', 'done'],
    ]);
    expect(rows[0]).toMatchObject({
      organization_id: engine.organizationId,
      door: 'http',
      target: { method: 'POST', host: recorder.hostPort },
      host: recorder.hostPort,
      attempt: 1,
      error_code: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('how it ended: refused by the service, declined, never connected, without an answer', async () => {
    const once = { max_attempts: 1 };
    const rows = async (url: string, config: JsonObject = {}): Promise<unknown[]> =>
      (await play(http('a', url, config, { retry: once }))).map(({ outcome, error_code: code }) => [
        outcome,
        code,
      ]);
    expect(await rows(recorder.url(tag(), { status: 422 }))).toEqual([['done', 'http_error']]);
    const busy = recorder.url(tag(), { status: 503, retry_after: 1 });
    expect(await rows(busy)).toEqual([['not_sent', 'http_error']]);
    expect(await rows(busy, { method: 'PUT' })).toEqual([['not_sent', 'http_error']]);
    const gone = await sink();
    await gone.close();
    expect(await rows(`http://127.0.0.1:${gone.port}/`)).toEqual([['not_sent', 'destination_not_allowed']]);
    forbidden.heard.length = 0;
    const late = recorder.url(tag(), { delay_ms: 60_000 });
    const [cut] = await play(http('a', late, { method: 'PUT' }, { timeout_ms: 1_000, retry: once }));
    expect(cut).toMatchObject({ outcome: 'unknown', digest: expect.any(String) });
  });

  test('a failed attempt and its retry are rows of the same digest', async () => {
    const name = tag();
    const rows = await play(
      http(
        'a',
        recorder.url(name, { fail: 1, status: 500 }),
        { method: 'PUT' },
        { retry: { max_attempts: 2, initial_interval_ms: 1 } },
      ),
    );
    expect(rows.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'done'],
      [2, 'done'],
    ]);
    expect(rows[0]?.digest).toBe(rows[1]?.digest);
  });

  test('each item of a map, and the tool that an agent calls', async () => {
    const name = tag();
    const items = { for_each: { items: [0, 1, 2] } };
    expect(
      (await play(http('a', `${recorder.url(name)}.{{index}}`, {}, items))).map((row) => row.item_index),
    ).toEqual([0, 1, 2]);
    model.script({ toolCalls: [{ id: 'c1', name: 'book', arguments: {} }] }, { text: ['Done'] });
    const tool = { kind: 'mcp', name: 'book', tool: 'book', server_url: mcp.url };
    const messages = [{ role: 'user', content: 'Go' }];
    const rows = await play(
      node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools: [tool] }),
    );
    expect(rows).toMatchObject([
      {
        turn: 1,
        door: 'mcp',
        host: mcp.hostPort,
        target: { server: mcp.url, tool: 'book' },
        outcome: 'done',
      },
    ]);
  });

  test('what a rule refuses: a request, and a link to a person', async () => {
    expect(await play(http('a', forbidden.base))).toMatchObject([
      { door: 'http', outcome: 'refused', error_code: 'effect_refused', digest: null },
    ]);
    expect(await play(http('a', forbidden.base, { method: 'GET' }))).toEqual([]);
    expect(forbidden.heard).toEqual([]);
    const ask = {
      kind: 'approval',
      title: 'Pay?',
      actions: [{ id: 'ok' }],
      assignees: { emails: ['eve@outside.example'] },
    };
    expect(await play(node('a', 'interrupt', ask))).toMatchObject([
      { door: 'message', target: { channel: 'email', address: 'eve@outside.example' }, outcome: 'refused' },
    ]);
  });

  test('the effects of a sub-workflow are those of its own run', async () => {
    const workflowId = await deploy(engine, chain(http('inner', recorder.url(tag()))));
    const { accepted } = await engine.play(
      chain(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId })),
    );
    expect(await readRows(accepted.runPk)).toEqual([]);
    expect(await readRows((await childOf(engine, accepted)).runPk)).toMatchObject([{ node_id: 'inner' }]);
  });

  test('a host under a named path is redacted', async () => {
    const { organizationId } = engine;
    const definition = chain(http('a', recorder.url(tag())));
    const definitionHash = await storeDefinition(engine.db, organizationId, definition);
    const run = await newRun(engine.db, { organizationId, definitionHash, redactedPaths: ['host'] });
    const accepted = await engine.acceptor.accept(run);
    engine.dispatcher.kick();
    await engine.follow(accepted);
    expect(await readRows(accepted.runPk)).toMatchObject([
      { host: '[redacted]', target: { method: 'POST', host: '[redacted]' } },
    ]);
  });

  test('its rows go with it; with its values go digests and addresses', async () => {
    const { accepted } = await engine.play(chain(http('a', recorder.url(tag()))));
    await engine.db.transaction((tx) => deleteValues(tx, [accepted.runPk]));
    expect(await readRows(accepted.runPk)).toMatchObject([{ outcome: 'done', digest: null }]);
    expect(await deleteTree(engine.db, accepted.runPk)).toBe('deleted');
    expect(await readRows(accepted.runPk)).toEqual([]);
  });
});

describe('the cost', () => {
  /** The statements of one attempt of a node, as the database has got them. */
  async function countStatements(config: JsonObject): Promise<number> {
    await engine.dispatcher.stop();
    const { runPk } = await engine.accept(chain(http('a', recorder.url(tag()), config)));
    const task = firstTask({ organizationId: engine.organizationId, rootRunPk: runPk }, 'a');
    // The plan and the rules of the organization are kept from here on.
    await engine.deps.plans.getForSegment(engine.deps.db, task);
    await engine.deps.rules.get(engine.deps.db, engine.organizationId);
    const heard: string[] = [];
    const count = (statement: unknown): void => void heard.push(String(statement));
    const db = new Proxy(engine.deps.db, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (name !== 'query' && name !== 'share' && name !== 'transaction') return member.bind(target);
        return (...given: readonly unknown[]): unknown => {
          count(name);
          return member.apply(target, given);
        };
      },
    });
    await createNodeActivitiesOf({ ...engine.deps, db }, task);
    return heard.length;
  }
  const createNodeActivitiesOf = (deps: typeof engine.deps, task: NodeTask): Promise<unknown> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() =>
      createNodeActivities(deps).tool(task),
    );

  test('REL-effect-ledger: start, mark and end for what may be sent once; start and end else; the end alone for a read', async () => {
    expect(await countStatements({})).toBe(3);
    expect(await countStatements({ method: 'PUT' })).toBe(2);
    expect(await countStatements({ method: 'GET' })).toBe(1);
  });
});

describe('a lost worker, or a run that ends meanwhile', () => {
  const attempt = (task: NodeTask, deps = engine.deps): Promise<NodeOutcome> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() =>
      createNodeActivities(deps).tool(task),
    ) as Promise<NodeOutcome>;
  const outcomes = async ({ runPk }: NodeTask): Promise<unknown[]> =>
    (await readRows(runPk)).map((row) => [row.attempt, row.outcome]);

  async function hold(config: JsonObject): Promise<{ readonly task: NodeTask; readonly name: string }> {
    await engine.dispatcher.stop();
    const name = tag();
    const { runPk } = await engine.accept(chain(http('a', recorder.url(name, { hold: 1 }), config)));
    return { name, task: firstTask({ organizationId: engine.organizationId, rootRunPk: runPk }, 'a') };
  }

  test('at most once: it is unknown from the mark on, and stays so', async () => {
    const { task, name } = await hold({});
    const other = await startOtherWorker(engine.deps);
    const lost = attempt(task, other.deps).catch(() => null);
    await recorder.waitFor(name, 1);
    expect(await outcomes(task)).toEqual([[1, 'unknown']]);
    await other.lose();
    await expect(attempt(task)).rejects.toMatchObject({ type: 'outcome_unknown' });
    expect(await outcomes(task)).toEqual([[1, 'unknown']]);
    recorder.release();
    await lost;
    // The lost worker lives, and knows.
    await expect.poll(() => outcomes(task)).toEqual([[1, 'done']]);
  });

  test('with a key: the lost attempt is unknown with the next one, whose answer settles it', async () => {
    const { task, name } = await hold({ method: 'PUT' });
    const other = await startOtherWorker(engine.deps);
    const lost = attempt(task, other.deps).catch(() => null);
    await recorder.waitFor(name, 1);
    expect(await outcomes(task)).toEqual([]);
    await other.lose();
    expect(await attempt(task)).toEqual({ taken: [0], failed: false });
    expect(await readRows(task.runPk)).toMatchObject([
      { attempt: 1, outcome: 'settled', host: recorder.hostPort, error_code: 'worker_lost' },
      { attempt: 2, outcome: 'done', digest: expect.any(String) },
    ]);
    recorder.release();
    await lost;
  });

  test('at least once: the lost attempt stays unknown beside the answer of the next one', async () => {
    const { task, name } = await hold({ effect: 'at_least_once' });
    const other = await startOtherWorker(engine.deps);
    const lost = attempt(task, other.deps).catch(() => null);
    await recorder.waitFor(name, 1);
    await other.lose();
    await attempt(task);
    expect(await outcomes(task)).toEqual([
      [1, 'unknown'],
      [2, 'done'],
    ]);
    recorder.release();
    await lost;
  });

  test('a run that is cancelled while a request is under way tells of it', async () => {
    for (const config of [{}, { method: 'PUT' }]) {
      const { task, name } = await hold(config);
      const given = attempt(task).catch(() => null);
      await recorder.waitFor(name, 1);
      await cancel(engine, { runPk: task.runPk, runId: await runIdOf(task) } as Parameters<typeof cancel>[1]);
      await given;
      await expect.poll(() => outcomes(task)).toEqual([[1, 'unknown']]);
      recorder.release();
    }
  });

  const runIdOf = async ({ runPk }: NodeTask): Promise<string> =>
    (await engine.db.query<{ run_id: string }>('SELECT run_id FROM runs WHERE id = $1', [runPk]))[0]
      ?.run_id ?? '';
});
