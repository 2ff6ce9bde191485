/**
 * Work that never ends, whatever aborts it: a mistake here, in a library or in a called server would keep its node running for ever, and
 * its run, and what waits for both.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock, type Clock } from '../../../../src/base/clock.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { registers } from '../../../../src/base/observe/metrics.ts';
import { advance } from '../../../../src/engine/runs/execute/advance/advance.ts';
import { takeAgentTurn } from '../../../../src/engine/runs/execute/agent/turn.ts';
import { KEPT_MS } from '../../../../src/engine/runs/execute/attempt/attempt-place.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import {
  createExecuteDeps,
  type ExecuteDeps,
  type ExecuteTools,
} from '../../../../src/engine/runs/execute/deps.ts';
import { runItems } from '../../../../src/engine/runs/execute/map.ts';
import type { Host } from '../../../../src/engine/runs/execute/host.ts';
import type { AgentCallTask } from '../../../../src/engine/runs/execute/protocol.ts';
import type { NodeTools } from '../../../../src/language/nodes/tools.ts';
import { ByteBudget } from '../../../../src/base/shares/byte-budget.ts';
import { FairSemaphore } from '../../../../src/base/shares/fair-semaphore.ts';
import {
  firstAdvance,
  firstTask,
  patientHost,
  startAdvancing,
  type Advancing,
} from '../../../support/advancing.ts';
import { chain, http, node } from '../../../support/definitions.ts';
import { stepsOf } from '../../../support/records.ts';

let advancing: Advancing;
beforeAll(async () => {
  advancing = await startAdvancing();
});
afterAll(() => advancing.close());

/** Calls of ports that have begun, and how each of them ends. */
const calls: { readonly port: string; readonly end: (result?: unknown) => void }[] = [];
beforeEach(() => {
  calls.length = 0;
});

/** A port whose calls end when the test says so, and never by themselves. */
const hanging = <Port extends object>(port: string): Port =>
  new Proxy({} as Port, {
    get: (_, method) => () =>
      new Promise((resolve) => calls.push({ port: `${port}.${String(method)}`, end: resolve })),
  });

const HANGING: Omit<NodeTools, 'patterns' | 'memory' | 'compositions'> = {
  http: hanging('http'),
  models: hanging('models'),
  mcp: hanging('mcp'),
  sandbox: hanging('sandbox'),
  parser: hanging('parser'),
  knowledge: hanging('knowledge'),
  tables: hanging('tables'),
  files: hanging('files'),
  credentials: { find: () => Promise.resolve({ integration: 'slack', baseUrl: 'https://slack.example' }) },
};

/** Time passes a hundred times as fast, and the time of the place of abandoned work when the test says so. */
function startClock(): { readonly clock: Clock; readonly endKept: () => void } {
  const kept: (() => void)[] = [];
  const lates = new Set<{ timer: ReturnType<Clock['setTimeout']> }>();
  const clock: Clock = {
    ...systemClock,
    setTimeout(work, ms) {
      if (ms === KEPT_MS) {
        kept.push(work);
        return work;
      }
      // What is left of it has another length.
      const isNodeTime = ms <= ONCE.timeout_ms && ms > ONCE.timeout_ms / 2;
      if (!isNodeTime) return systemClock.setTimeout(work, ms / 100);
      // The time of a node is over once it has called its port: a busy machine takes longer until then than a hundredth of it.
      const late = { timer: systemClock.setTimeout(look, ms / 100) };
      function look(): void {
        if (calls.length > 0) work();
        else late.timer = systemClock.setTimeout(look, 1);
      }
      lates.add(late);
      return late;
    },
    clearTimeout(timer) {
      const late = [...lates].find((one) => one === timer);
      const at = kept.indexOf(timer as () => void);
      if (late !== undefined) systemClock.clearTimeout(late.timer);
      else if (at >= 0) kept.splice(at, 1);
      else systemClock.clearTimeout(timer);
    },
  };
  return { clock, endKept: () => kept.splice(0).forEach((work) => work()) };
}

/** A process whose ports hang. */
function startProcess(tools: Partial<NodeTools> = {}) {
  const { clock, endKept } = startClock();
  const slots = new FairSemaphore({ capacity: 10, perOrganization: 10 });
  const bytes = new ByteBudget({ capacity: 1e9, perOrganization: 1e9 });
  const attempt: ExecuteTools['attempt'] = (...given) => ({
    ...advancing.deps.tools.attempt(...given),
    ...HANGING,
    ...tools,
  });
  const deps: ExecuteDeps = createExecuteDeps({
    ...advancing.deps,
    clock,
    slots,
    bytes,
    tools: { ...advancing.deps.tools, attempt },
  });
  return { deps, slots, endKept };
}

const ONCE = { timeout_ms: 1_000, retry: { max_attempts: 1 } };
const MODEL = { provider: 'openai', model: 'm', messages: [{ role: 'user', content: 'x' }] };
const KB = '3f0c6e6c-6f0f-4a55-9d9c-0f8f5a1f3c11';

/** One node for each kind that calls out, and the port that it calls. */
const NODES: readonly (readonly [string, JsonObject, string])[] = [
  ['a request', http('n', 'https://a.example', { method: 'GET' }, ONCE), 'http.send'],
  ['a request that is sent once', http('n', 'https://a.example', { method: 'POST' }, ONCE), 'http.send'],
  ['a model', node('n', 'llm', MODEL, ONCE), 'models.complete'],
  [
    'a function',
    node('n', 'function', { language: 'javascript', code: 'export default () => 1' }, ONCE),
    'sandbox.run',
  ],
  ['a search', node('n', 'knowledge', { knowledge_base_ids: [KB], query: 'x' }, ONCE), 'knowledge.search'],
  [
    'a tool of an MCP server',
    node('n', 'tool', { kind: 'mcp', server_url: 'https://mcp.example', tool: 't', arguments: {} }, ONCE),
    'mcp.call',
  ],
  [
    'a message of a chat',
    node(
      'n',
      'tool',
      {
        kind: 'integration',
        integration: 'slack',
        action: 'send_message',
        credential_id: KB,
        parameters: { channel: '#a', text: 'x' },
      },
      ONCE,
    ),
    'http.send',
  ],
];

const abandonedOf = async (kind: string): Promise<number> => {
  const metrics = await Promise.all(registers.map((registry) => registry.getMetricsAsJSON()));
  const found = metrics.flat().find(({ name }) => name === 'node_work_abandoned_total');
  return found?.values.find(({ labels }) => labels['kind'] === kind)?.value ?? 0;
};

describe('REL-abandoned-work: the timeout of a node ends its attempt, though its work never ends', () => {
  test.each(NODES)('%s', async (_, definition, port) => {
    const { deps } = startProcess();
    const before = await abandonedOf(String(definition['type']));
    const ref = await advancing.run(chain(definition));
    const end = await runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    expect(end).toMatchObject({ kind: 'failed', code: 'timeout' });
    expect(calls.map((call) => call.port)).toEqual([port]);
    expect(await stepsOf(advancing.db, ref.rootRunPk)).toMatchObject([
      { status: 'failed', error: { code: 'timeout' } },
    ]);
    expect(await abandonedOf(String(definition['type']))).toBe(before + 1);
  });

  test('a turn of an agent', async () => {
    const { deps } = startProcess();
    const ref = await advancing.run(chain(node('n', 'agent', { ...MODEL, tools: [] }, ONCE)));
    const end = await takeAgentTurn(deps, patientHost, { ...firstTask(ref, 'n'), turn: 1 });
    expect(end).toMatchObject({ kind: 'failed', code: 'timeout' });
  });

  test('a tool of an agent', async () => {
    const reply = {
      content: '',
      toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }],
      reasoning: null,
      model: 'm',
      finishReason: 'tool_calls',
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
    const { deps } = startProcess({ models: { complete: () => Promise.resolve(reply) } });
    const tool = { kind: 'http', name: 'look', description: 'x', method: 'GET', url: 'https://a.example' };
    const ref = await advancing.run(chain(node('n', 'agent', { ...MODEL, tools: [tool] })));
    const turn = { ...firstTask(ref, 'n'), turn: 1 };
    expect(await takeAgentTurn(deps, patientHost, turn)).toMatchObject({ kind: 'done' });
    const task: AgentCallTask = { ...turn, call: 0 };
    const end = await runNode(deps, patientHost, { task });
    expect(calls.map((call) => call.port)).toEqual(['http.send']);
    expect(end).toMatchObject({ kind: 'retry', code: 'timeout' });
  });

  test('the items of a mapped node', async () => {
    const { deps } = startProcess();
    const each = http(
      'n',
      'https://a.example',
      { method: 'GET' },
      {
        ...ONCE,
        for_each: { items: '{{input.rows}}', max_concurrency: 3, on_item_error: 'continue' },
      },
    );
    const ref = await advancing.run(chain(each), { rows: [1, 2, 3] });
    await advance(deps, firstAdvance(ref));
    const range = { ...firstTask(ref, 'n'), first: 0, end: 3, atOnce: 3 };
    expect(await runItems(deps, patientHost, range)).toMatchObject({
      kind: 'done',
      result: { next: 3, open: [] },
    });
    expect(calls).toHaveLength(3);
    const ended = (await stepsOf(advancing.db, ref.rootRunPk)).filter(({ status }) => status === 'failed');
    expect(ended).toHaveLength(3);
  });
});

/** A host that gives its attempt up because its run was cancelled. */
function cancellableHost(): { readonly host: Host; readonly cancel: () => void } {
  const given = new AbortController();
  const host = { ...patientHost, signal: given.signal, cancelRequested: () => given.signal.aborted };
  return { host, cancel: () => given.abort(new Error('cancelled')) };
}

describe('work that never ends holds up', () => {
  const hangs = http('n', 'https://a.example', { method: 'GET' });
  const begun = () => vi.waitFor(() => expect(calls).toHaveLength(1));

  test('no cancellation that Temporal brings', async () => {
    const { deps } = startProcess();
    const ref = await advancing.run(chain(hangs));
    const { host, cancel } = cancellableHost();
    const end = runNode(deps, host, { task: firstTask(ref, 'n') });
    await begun();
    cancel();
    expect(await end).toEqual({ kind: 'cancelled' });
  });

  test('no cancellation that the database brings', async () => {
    const { deps } = startProcess();
    const ref = await advancing.run(chain(hangs));
    const end = runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    await begun();
    await advancing.db.query("UPDATE runs SET status = 'cancelled' WHERE id = $1", [ref.rootRunPk]);
    deps.running.cancelled(ref.rootRunPk);
    expect(await end).toEqual({ kind: 'gone' });
  });

  test('no shutdown of its worker', async () => {
    const { deps } = startProcess();
    const ref = await advancing.run(chain(hangs));
    const end = runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    await begun();
    await deps.running.stop(1_000);
    expect(await end).toMatchObject({ kind: 'released', code: 'attempt_abandoned' });
  });

  test('no place among the attempts for longer than itself', async () => {
    const { deps, slots } = startProcess();
    const ref = await advancing.run(chain(http('n', 'https://a.example', { method: 'GET' }, ONCE)));
    await runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    expect(slots.heldBy(ref.organizationId)).toBe(1);
    calls[0]?.end();
    await vi.waitFor(() => expect(slots.held).toBe(0));
  });

  test('no place for ever', async () => {
    const { deps, slots, endKept } = startProcess();
    const ref = await advancing.run(chain(http('n', 'https://a.example', { method: 'GET' }, ONCE)));
    await runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    expect(slots.held).toBe(1);
    endKept();
    expect(slots.held).toBe(0);
  });
});

describe('what abandoned work does later is nothing', () => {
  test('its result changes no step', async () => {
    const { deps, slots } = startProcess();
    const ref = await advancing.run(chain(http('n', 'https://a.example', { method: 'GET' }, ONCE)));
    await runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    const before = await stepsOf(advancing.db, ref.rootRunPk);
    calls[0]?.end({ status: 200, headers: {}, text: 'late' });
    await vi.waitFor(() => expect(slots.held).toBe(0));
    expect(await stepsOf(advancing.db, ref.rootRunPk)).toEqual(before);
  });

  test('it sends nothing: an MCP server that answers late gets no call of its tool', async () => {
    let goOn = (): void => undefined;
    const sent: string[] = [];
    const call: NodeTools['mcp']['call'] = async (request) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        calls.push({ port: 'mcp.call', end: () => resolve() });
      });
      await request.beforeCall(false);
      sent.push('called');
      throw new Error('unreachable');
    };
    const { deps, slots } = startProcess({ mcp: { ...hanging<NodeTools['mcp']>('mcp'), call } });
    const config = { kind: 'mcp', server_url: 'https://mcp.example', tool: 't', arguments: {} };
    const ref = await advancing.run(chain(node('n', 'tool', config, ONCE)));
    await runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    expect(calls).toHaveLength(1);
    goOn();
    await vi.waitFor(() => expect(slots.held).toBe(0));
    expect(sent).toEqual([]);
    expect(await stepsOf(advancing.db, ref.rootRunPk)).toMatchObject([{ sent_at: null }]);
  });

  test('a reply that comes late is neither streamed nor remembered', async () => {
    const append = vi.fn(() => Promise.resolve());
    const { deps, slots } = startProcess({ memory: { read: () => Promise.resolve([]), append } });
    const remembering = { ...MODEL, memory: { enabled: true } };
    const ref = await advancing.run(chain(node('n', 'llm', remembering, ONCE)));
    await runNode(deps, patientHost, { task: firstTask(ref, 'n') });
    calls[0]?.end({
      content: 'late',
      reasoning: null,
      model: 'm',
      finishReason: 'stop',
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    });
    await vi.waitFor(() => expect(slots.held).toBe(0));
    expect(append).not.toHaveBeenCalled();
  });
});
