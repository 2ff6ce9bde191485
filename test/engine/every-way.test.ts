/**
 * The record of a node would depend on where it ran (inline, as an activity, together with others), and clients would
 * have to know.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { rerunBody } from '../../src/engine/runs/api/rerun-schema.ts';
import type { StepRow } from '../../src/engine/runs/ledger/write/steps.ts';
import { rerun } from '../../src/engine/runs/rerun/rerun.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import { openHistories } from '../support/histories.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { ingested, storedBase, uploadTo } from '../support/ingests.ts';
import { deploy, owner, runBy, workflowIdOf } from '../support/journeys.ts';
import type { ModelRequest, ModelServer, ScriptedAnswer } from '../support/model-server.ts';
import { setTerms } from '../support/money.ts';
import { eventsOf, stepsOf, type StoredEvent } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, recorder, model } = await startEngineWithModel());
  model.scriptBy(answerModel);
  await setTerms(engine.db, engine.organizationId, { plan: 'pro' });
});
afterAll(() => engine.close());

/** A model calls the tool that it is offered, once. */
function answerModel({ messages, tools }: ModelRequest['body']): ScriptedAnswer {
  const isAnswered = (messages as readonly JsonObject[]).some(({ role }) => role === 'tool');
  if (tools === undefined || isAnswered) return { text: ['yes'] };
  return { toolCalls: [{ id: 'c', name: 'ask', arguments: { query: 'tax' } }] };
}

/** What is executed: as a node of this type, or as a tool that an agent has. */
interface Work {
  readonly type: 'tool' | 'knowledge';
  readonly config: JsonObject;
  readonly envelope: JsonObject;
}
/** Does the work once, as the execution of the node `n`. @returns its run */
type Way = (work: Work) => Promise<AcceptedRun>;
type Query = Readonly<Record<string, string | number>>;

const INPUT = { one: ['x'] };
const run = async (...nodes: readonly JsonObject[]): Promise<AcceptedRun> =>
  (await engine.play(chain(...nodes), INPUT)).accepted;

const call = (query: Query = {}, envelope: JsonObject = {}): Work => ({
  type: 'tool',
  config: { kind: 'http', method: 'POST', url: recorder.url(randomUUID(), query) },
  envelope,
});
const inNode = ({ type, config, envelope }: Work, more: JsonObject = {}): JsonObject =>
  node('n', type, config, { ...envelope, ...more });

/** Without an effect. */
const reading = (work: Work): Work => ({ ...work, config: { ...work.config, method: 'GET' } });
/** Outlives the patience of a local activity. */
const slow = (work: Work): Work => {
  const url = new URL(String(work.config['url']));
  url.searchParams.set('delay_ms', '1200');
  return { ...work, config: { ...work.config, url: url.href } };
};
/** Longer than what is short by nature: an activity from the start. */
const LONG = { timeout_ms: 200_000 };
/** An item's node is mapped over a list of one; of a failed item, the map decides. */
const overOne = ({ envelope }: Work): JsonObject => ({
  for_each: {
    items: '{{input.one}}',
    on_item_error: envelope['on_error'] === 'continue' ? 'continue' : 'fail',
  },
});

const asToolOfAgent: Way = ({ config, envelope }) => {
  const { query: _, ...fixed } = config;
  const tool = { kind: 'knowledge', name: 'ask', ...fixed };
  const messages = [{ role: 'user', content: 'x' }];
  return run(
    node('n', 'agent', { provider: 'openai', model: 'test-model', messages, tools: [tool] }, envelope),
  );
};

/** The node runs again; what comes before it is reused. */
const inRerun: Way = async ({ config, ...work }) => {
  const url = config['url'] === undefined ? {} : { url: '{{input.url}}' };
  const definition = chain(transform('t'), inNode({ ...work, config: { ...config, ...url } }));
  const first = await engine.play(definition, { ...INPUT, url: recorder.url(randomUUID()) });
  const body = rerunBody.parse({ from_node_id: 'n', input: { ...INPUT, url: config['url'] ?? null } });
  const asked = { runPk: first.accepted.runPk, body, idempotencyKey: null };
  const second = await runBy(engine, 'run_id', String((await rerun(engine, owner(engine), asked))['run_id']));
  return (await engine.follow(second)).accepted;
};

/** The node runs in a history that continues another one, which was too large. */
const afterContinueAsNew: Way = async (work) => {
  const before = randomUUID();
  const definition = chain(http('before', recorder.url(before, { hold: 1 }), {}, LONG), inNode(work));
  const accepted = await engine.accept(definition, INPUT);
  await recorder.waitFor(before, 1);
  const workflowId = workflowIdOf(engine, accepted);
  const histories = await openHistories();
  await histories.fill(workflowId, 4_100_000);
  recorder.release(({ tag }) => tag === before);
  await engine.follow(accepted);
  expect(await histories.chain(workflowId)).toHaveLength(2);
  await histories.close();
  return accepted;
};

const TOOL_OF_AGENT = 'a tool call of an agent';
/** Ways of any work. */
const COMMON_WAYS: Readonly<Record<string, Way>> = {
  'a local activity': (work) => run(inNode(work)),
  'an activity': (work) => run(inNode(work, LONG)),
  'an item in a range': (work) => run(inNode(work, overOne(work))),
  'an item in an activity': (work) => run(inNode(work, { ...overOne(work), ...LONG })),
  'a node of a rerun': inRerun,
  // Calls with an effect have one attempt.
  [TOOL_OF_AGENT]: (work) => asToolOfAgent(reading(work)),
};
/** Ways of searches, which are metered. */
const METERED_WAYS = { ...COMMON_WAYS, 'a node after continue-as-new': afterContinueAsNew };
/** Ways of calls. */
const WAYS: Readonly<Record<string, Way>> = {
  ...COMMON_WAYS,
  'a local activity without an effect': (work) => run(inNode(reading(work))),
  'one that outlives its local activity': (work) => run(inNode(slow(work))),
  'one without an effect that outlives it': (work) => run(inNode(slow(reading(work)))),
  'an item that outlives its range': (work) => run(inNode(slow(work), overOne(work))),
};

/** Ways of other work, which cannot fail at an HTTP server. */
const OTHER_WAYS: Readonly<Record<string, () => Promise<AcceptedRun>>> = {
  'a pure node, folded': () => run(transform('n', { x: 1 })),
  'a function': () => run(node('n', 'function', { language: 'javascript', code: 'export default () => 1' })),
  'a sub-workflow': async () =>
    run(node('n', 'tool', { kind: 'workflow', workflow_id: await deploy(engine, chain(transform('t'))) })),
};

interface Seen {
  readonly types: readonly string[];
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly step: StepRow;
  /** What is charged for the step. */
  readonly meter: readonly JsonObject[];
  /** The credits that its end tells. */
  readonly credits: unknown;
}

const OF_PARTS = ['item_index', 'parent_step_id'];
const OF_CALLS = ['duration_ms', 'name', 'phase', 'status', 'tool_call_id'];

/** Names the frame of a tool call as that of a node. */
const toNodeType = ({ type, payload: { phase, status } }: StoredEvent): string => {
  if (type !== 'tool_call') return type;
  if (phase !== 'end') return phase === 'start' ? 'node_started' : 'node_retry';
  return status === 'succeeded' ? 'node_completed' : 'node_failed';
};

/** Looks at the events, the step and the meter of the execution: of an item rather than its node, a call rather than its agent. */
async function look({ runPk }: AcceptedRun): Promise<Seen> {
  const steps = await stepsOf(engine.db, runPk, 'n');
  const step = steps.find(({ item_index: item, turn }) => item === 0 || turn > 0) ?? steps[0];
  if (step === undefined) throw new Error('The node has no step');
  const isOwn = ({ type, payload }: StoredEvent): boolean =>
    payload['step_id'] === step.step_id && type !== 'token';
  const events = (await eventsOf(engine.db, runPk)).filter(isOwn);
  const meter = await engine.db.query<JsonObject>(
    `SELECT kind, model, is_byok, input_tokens, output_tokens, credits_mc FROM credit_usage
     WHERE subject_id = $1 AND step_id = $2`,
    [runPk, step.step_id],
  );
  const keysOf = (event: StoredEvent) =>
    [
      toNodeType(event),
      Object.keys(event.payload)
        .filter((key) => !OF_PARTS.includes(key))
        .toSorted(),
    ] as const;
  return {
    types: events.map(toNodeType),
    fields: Object.fromEntries(events.map(keysOf)),
    step,
    meter,
    credits: events.at(-1)?.payload['credits'],
  };
}

const COMMON = ['attempt', 'depth', 'node_id', 'node_name', 'node_type', 'step_id'];
const FIELDS = {
  node_started: COMMON,
  node_retry: [...COMMON, 'delay_ms', 'error', 'next_attempt'].toSorted(),
  node_completed: [
    ...COMMON,
    'credits',
    'duration_ms',
    'output',
    'output_truncated',
    'selected_handle',
    'usage',
    'warnings',
  ].toSorted(),
  node_failed: [...COMMON, 'error', 'handled', 'on_error'].toSorted(),
};

/** The fields of these types of events, of a node or of a tool call. */
const fieldsOf = ({ turn }: StepRow, ...types: (keyof typeof FIELDS)[]) =>
  Object.fromEntries(
    types.map((type) => {
      const repeated = type === 'node_retry' ? ['possibly_repeated'] : [];
      return [type, turn === 0 ? FIELDS[type] : [...COMMON, ...OF_CALLS, ...repeated].toSorted()];
    }),
  );

const ended = { completed_at: expect.any(Date) as Date, held_by: null };
const attempt = (number: number, status: string, code = 'http_error') => ({
  attempt: number,
  status,
  started_at: expect.any(String) as string,
  completed_at: expect.any(String) as string,
  duration_ms: expect.any(Number) as number,
  error: status === 'succeeded' ? null : (expect.objectContaining({ code }) as object),
});

/** An execution that has succeeded at once. */
function expectSuccess({ types, fields, step }: Seen): void {
  expect(types).toEqual(['node_started', 'node_completed']);
  expect(fields).toEqual(fieldsOf(step, 'node_started', 'node_completed'));
  expect(step).toMatchObject({
    ...ended,
    status: 'succeeded',
    attempt: 1,
    error: null,
    error_handled: false,
  });
  expect(step.attempts).toEqual([attempt(1, 'succeeded')]);
  const isPart = step.item_index >= 0 || step.turn > 0;
  expect(step.outcome).toEqual({ taken: isPart ? [] : [0], failed: false });
}

/** An execution whose only attempt has failed; of a tool call its agent hears. */
function expectFailure({ types, fields, step }: Seen, code: string): void {
  expect(types).toEqual(['node_started', 'node_failed']);
  expect(fields).toEqual(fieldsOf(step, 'node_started', 'node_failed'));
  const isHandled = step.turn > 0;
  expect(step).toMatchObject({ ...ended, status: 'failed', attempt: 1, error_handled: isHandled });
  expect(step.attempts).toEqual([attempt(1, 'failed', code)]);
  expect(step.outcome).toEqual({ taken: [], failed: !isHandled });
}

describe.concurrent.each(Object.entries(WAYS))('%s', (_, way) => {
  test('that succeeds is started and completed', async () => {
    const seen = await look(await way(call()));
    expectSuccess(seen);
    expect(seen.meter).toEqual([]);
  });

  test('that fails once and may be tried again tells of both attempts', async () => {
    const retry = { retry: { max_attempts: 2, initial_interval_ms: 1 } };
    // A server that says "later" has done nothing, whatever the method.
    const work = call({ fail: 1, status: 503, retry_after: 0 }, retry);
    const { types, fields, step, meter } = await look(await way(work));
    expect(types).toEqual(['node_started', 'node_retry', 'node_completed']);
    expect(fields).toEqual(fieldsOf(step, 'node_started', 'node_retry', 'node_completed'));
    expect(step).toMatchObject({ ...ended, status: 'succeeded', attempt: 2 });
    expect(step.attempts).toEqual([attempt(1, 'failed'), attempt(2, 'succeeded')]);
    expect(meter).toEqual([]);
  });

  test('that fails for good is started and failed', async () => {
    const seen = await look(await way(call({ fail: 9, status: 404 })));
    expectFailure(seen, 'http_error');
    expect(seen.meter).toEqual([]);
  });

  test('whose failure is handled says so', async () => {
    const work = call({ fail: 9, status: 404 }, { on_error: 'continue' });
    const { types, step } = await look(await way(work));
    expect(types).toEqual(['node_started', 'node_failed']);
    expect(step).toMatchObject({ ...ended, status: 'failed', error_handled: true });
    expect(step.outcome).toMatchObject({ failed: false });
  });
});

describe.concurrent.each(Object.entries(OTHER_WAYS))('%s', (_, way) => {
  test('that succeeds is started and completed', async () => {
    const seen = await look(await way());
    expectSuccess(seen);
    expect(seen.meter).toEqual([]);
  });
});

test('a model that succeeds is started, completed and metered', async () => {
  const messages = [{ role: 'user', content: 'x' }];
  const config = { provider: 'openai', model: 'test-model', messages };
  const seen = await look(await run(node('n', 'llm', config)));
  expectSuccess(seen);
  const tokens = { input_tokens: 7, output_tokens: 3, credits_mc: 16 };
  expect(seen.meter).toEqual([{ kind: 'llm', model: 'test-model', is_byok: false, ...tokens }]);
});

// A sub-workflow has no activity: it is placed by its kind, whatever its timeout.
describe.each(Object.entries(COMMON_WAYS))(
  'a sub-workflow that is refused, where another node would be %s',
  (_, way) => {
    test('is started and failed', async () => {
      const config = { kind: 'workflow', workflow_id: randomUUID() };
      const seen = await look(await way({ type: 'tool', config, envelope: {} }));
      expectFailure(seen, 'workflow_not_found');
      expect(seen.meter).toEqual([]);
    });
  },
);

describe.each(Object.entries(METERED_WAYS))('a search as %s', (name, way) => {
  const search = async (bases: number): Promise<Work> => {
    model.scriptEmbeddings();
    const made = Array.from({ length: bases }, async () => {
      const base = await storedBase(engine.db, engine.organizationId);
      await ingested(engine.db, await uploadTo(engine, base, 'The tax report is due in April.'));
      return base;
    });
    const config = { knowledge_base_ids: await Promise.all(made), query: 'tax' };
    return { type: 'knowledge', config, envelope: { retry: { max_attempts: 1 } } };
  };
  const used = { kind: 'knowledge', is_byok: false, credits_mc: 1_000 };

  test('is metered once, for its own step', async () => {
    const seen = await look(await way(await search(1)));
    expectSuccess(seen);
    expect(seen.meter).toMatchObject([used]);
    expect(seen.credits).toBe(name === TOOL_OF_AGENT ? undefined : 1);
  });

  test('that fails is metered for what it has used', async () => {
    const work = await search(2);
    // The first base is searched, and the second is not; of a rerun, in the run before it, too.
    model.scriptEmbeddings({}, { status: 400 }, {}, { status: 400 });
    const seen = await look(await way(work));
    expectFailure(seen, 'model_error');
    expect(seen.meter).toMatchObject([used]);
  });
});
