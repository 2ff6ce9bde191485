/**
 * Records the corpus of histories that the interpreter must be able to replay: one run per feature, on the real
 * server. Run it when a feature is added: `RECORD_HISTORIES=1` with the replay test records the features that have no history yet.
 * Histories of a version that was released stay: runs of that version may be open.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import {
  END,
  START,
  chain,
  conditional,
  edge,
  http,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../support/definitions.ts';
import { toIngestWorkflowId } from '../../temporal/contract.ts';
import { ingested, storedBase, uploadTo } from '../support/ingests.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { TestEngine } from '../support/engine.ts';
import { openHistories } from '../support/histories.ts';
import type { History } from '../support/histories.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import {
  answer,
  cancel,
  cancelUntold,
  childOf,
  closedAs,
  deploy,
  nextSegment,
  questionsOf,
  workflowIdOf,
} from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { eventually } from '../support/waiting.ts';

const DIRECTORY = new URL('./histories/', import.meta.url);
/** What a history says about the machine that recorded it. Replay does not look at it. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(['stackTrace', 'identity', 'binaryChecksum']);

type Feature = (engine: TestEngine, tools: HttpRecorder, provider: ModelServer) => Promise<AcceptedRun>;

const ended = async (engine: TestEngine, definition: JsonObject, input: JsonObject = {}) =>
  (await engine.play(definition, input)).accepted;
const model = { provider: 'openai', model: 'test-model' };
const input = node('ask', 'interrupt', { kind: 'input', timeout_seconds: 1, on_timeout: 'branch' });
const counted = { fields: { count: { type: 'array', reducer: 'add', default: [] } } };

/** Two calls side by side, then what waits for both; `prefix` tells its calls from another history's. */
const parallelJoin = (tools: HttpRecorder, prefix: string): JsonObject =>
  workflow(
    [
      http('a', tools.url(`${prefix}a`)),
      http('b', tools.url(`${prefix}b`)),
      transform('t'),
      http('c', tools.url(`${prefix}c`)),
    ],
    [edge(START, 'a'), edge(START, 'b'), edge('a', 't'), edge('b', 't'), edge('t', 'c')],
  );

/** A call for each of ROWS, two at once. */
const itemsOf = (url: string, more: JsonObject = {}): JsonObject =>
  http('m', url, { method: 'PUT' }, { for_each: { items: '{{input.rows}}', max_concurrency: 2 }, ...more });
const ROWS: JsonObject = { rows: [1, 2, 3, 4, 5] };
/** Longer than what is short by nature: activities from the start. */
const LONG = { timeout_ms: 200_000 };
const TWICE = { retry: { max_attempts: 2 } };

/** Branches that end while others do, each in another way: at once, as an activity, at the second attempt; with a call behind them. */
function inManyWays(tools: HttpRecorder): JsonObject {
  const ways: readonly [Readonly<Record<string, number>>, JsonObject][] = [
    [{ delay_ms: 1_100 }, {}],
    [{ fail: 1 }, { retry: { max_attempts: 2 } }],
    [{ delay_ms: 300 }, LONG],
  ];
  const wayOf = (i: number) => ways[i % 10] ?? ([{ delay_ms: (i * 7) % 60 }, {}] as const);
  const branches = Array.from({ length: 120 }, (_, i): [JsonObject, JsonObject] => {
    const [query, envelope] = wayOf(i);
    return [
      http(`a${i}`, tools.url(`together-a${i}`, query), { method: 'GET' }, envelope),
      http(
        `b${i}`,
        tools.url(`together-b${i}`, { delay_ms: i % 7 }),
        { method: 'GET' },
        i % 11 === 0 ? LONG : {},
      ),
    ];
  });
  return workflow(
    branches.flat(),
    branches.flatMap(([first, second]) => [
      edge(START, String(first['id'])),
      edge(String(first['id']), String(second['id'])),
    ]),
  );
}

/** `bodies` in parallel, `rounds` times. */
function loop(bodies: readonly JsonObject[], rounds: number): JsonObject {
  const ids = bodies.map((body) => String(body['id']));
  return {
    ...workflow(
      [
        transform('head', {}, { state_updates: { count: 1 } }),
        ...bodies,
        conditional('check', when('again', rule('{{state.count | length}}', 'lt', rounds))),
      ],
      [
        edge(START, 'head'),
        ...ids.flatMap((id) => [edge('head', id), edge(id, 'check')]),
        edge('check', 'head', 'again'),
        edge('check', END, 'else'),
      ],
    ),
    state_schema: counted,
  };
}

const FEATURES: Readonly<Record<string, Feature>> = {
  agent: async (engine, tools, provider) => {
    const child = await deploy(engine, chain(transform('t')));
    const toolCalls = ['ask', 'ask', 'sub'].map((name, at) => ({ id: `call-${at}`, name, arguments: {} }));
    provider.script({ toolCalls }, { text: ['done'] });
    const offered = [
      { kind: 'http', name: 'ask', method: 'POST', url: tools.url('agent') },
      { kind: 'workflow', name: 'sub', workflow_id: child },
    ];
    const messages = [{ role: 'user', content: 'x' }];
    const run = await ended(engine, chain(node('a', 'agent', { ...model, messages, tools: offered })));
    provider.script({ text: ['Hello'] });
    return run;
  },
  async 'agent-approval'(engine, tools, provider) {
    const toolCalls = ['ask', 'pay', 'pay'].map((name, at) => ({ id: `call-${at}`, name, arguments: {} }));
    provider.script({ toolCalls }, { text: ['done'] });
    const offered = ['ask', 'pay'].map((name) => ({
      kind: 'http',
      name,
      method: 'POST',
      url: tools.url(`approval-${name}`),
      approval: name === 'pay' ? 'always' : 'never',
    }));
    const messages = [{ role: 'user', content: 'x' }];
    const asked = await engine.play(chain(node('a', 'agent', { ...model, messages, tools: offered })));
    const [first, second] = asked.of('interrupt').map((frame) => String(frame['interrupt_id']));
    const next = await engine.follow(
      await answer(engine, asked, { interrupt_id: first ?? '', action: 'approve' }),
    );
    await engine.follow(await answer(engine, next, { interrupt_id: second ?? '', action: 'reject' }));
    provider.script({ text: ['Hello'] });
    return asked.accepted;
  },
  together: (engine, tools) => ended(engine, inManyWays(tools)),
  pure: (engine) => ended(engine, chain(transform('a'), transform('b'))),
  guardrails: (engine) =>
    ended(engine, chain(node('g', 'guardrails', { input: 'x', checks: [{ type: 'secret_keys' }] }))),
  function: (engine) => ended(engine, chain(node('f', 'function', { code: 'export default () => 1' }))),
  llm: (engine) =>
    ended(engine, chain(node('m', 'llm', { ...model, messages: [{ role: 'user', content: 'x' }] }))),
  'conditional-llm': (engine) =>
    ended(
      engine,
      chain(node('c', 'conditional', { ...model, mode: 'llm', input: 'x', cases: [{ id: 'a' }] })),
    ),
  'tool-http': (engine, tools) => ended(engine, chain(http('h', tools.url('plain')), transform('t'))),
  'parallel-join': (engine, tools) => ended(engine, parallelJoin(tools, '')),
  'join-any-and-skips': (engine, tools) =>
    ended(
      engine,
      workflow(
        [
          conditional('c', when('yes', rule('{{input.n}}', 'eq', 1))),
          http('a', tools.url('a')),
          http('b', tools.url('b')),
          transform('t', {}, { join: 'any' }),
        ],
        [edge(START, 'c'), edge('c', 'a', 'yes'), edge('c', 'b', 'else'), edge('a', 't'), edge('b', 't')],
      ),
      { n: 1 },
    ),
  loop: (engine, tools) => ended(engine, loop([http('a', tools.url('loop'))], 3)),
  retry: (engine, tools) =>
    ended(
      engine,
      chain(http('h', tools.url('retry', { fail: 1 }), { method: 'PUT' }, { retry: { max_attempts: 2 } })),
    ),
  failure: (engine, tools) =>
    ended(
      engine,
      workflow(
        [http('bad', tools.url('bad', { status: 500 })), http('good', tools.url('good', { delay_ms: 300 }))],
        [edge(START, 'bad'), edge(START, 'good')],
      ),
    ),
  'error-edge': (engine, tools) =>
    ended(
      engine,
      workflow(
        [http('bad', tools.url('bad', { status: 500 })), transform('rescue')],
        [edge(START, 'bad'), edge('bad', END), edge('bad', 'rescue', 'error')],
      ),
    ),
  map: (engine, tools) =>
    ended(
      engine,
      chain(http('h', tools.url('map'), {}, { for_each: { items: [1, 2, 3], max_concurrency: 2 } })),
    ),
  wait: (engine) => ended(engine, chain(node('w', 'interrupt', { kind: 'wait', duration_seconds: 1 }))),
  async 'interrupt-resume'(engine, tools) {
    const asked = await engine.play(chain(input, http('h', tools.url('after'))));
    const next = await answer(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', data: {} });
    await engine.follow(next);
    return asked.accepted;
  },
  async 'interrupt-timeout'(engine, tools) {
    const asked = await engine.play(
      workflow(
        [input, http('late', tools.url('late'))],
        [edge(START, 'ask'), edge('ask', 'late', 'timeout')],
      ),
    );
    await engine.follow(await nextSegment(engine, asked));
    return asked.accepted;
  },
  async cancel(engine, tools) {
    const run = await engine.accept(
      workflow(
        [
          http('h', tools.url('cancel', { delay_ms: 60_000 })),
          node('w', 'interrupt', { kind: 'wait', duration_seconds: 600 }),
        ],
        [edge(START, 'h'), edge(START, 'w')],
      ),
    );
    await tools.waitFor('cancel', 1);
    await cancel(engine, run);
    return run;
  },
  async 'cancel-untold'(engine, tools) {
    const run = await engine.accept(chain(http('h', tools.url('untold', { hold: 1 })), transform('t')));
    await tools.waitFor('untold', 1);
    await cancelUntold(engine, run);
    tools.release();
    return run;
  },
  async child(engine, tools) {
    const workflowId = await deploy(engine, chain(http('h', tools.url('child'))));
    return ended(
      engine,
      chain(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }), transform('t')),
    );
  },
  async 'child-cancelled'(engine, tools) {
    const slow = chain(http('h', tools.url('slow-child', { delay_ms: 60_000 })));
    const workflowId = await deploy(engine, slow);
    const sub = node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }, { on_error: 'continue' });
    const run = await engine.accept(chain(sub));
    await tools.waitFor('slow-child', 1);
    await cancel(engine, await childOf(engine, run));
    return run;
  },
  async 'child-left-alone'(engine) {
    const workflowId = await deploy(engine, chain(transform('t')));
    return ended(
      engine,
      chain(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId, wait: false })),
    );
  },
  outlives: (engine, tools) =>
    ended(
      engine,
      chain(http('h', tools.url('outlives', { delay_ms: 1_300 })), http('i', tools.url('after'))),
    ),
  'beside-long': (engine, tools) =>
    ended(
      engine,
      workflow(
        [
          http('slow', tools.url('slow', { delay_ms: 900 })),
          http('long', tools.url('long-node'), {}, LONG),
          http('quick', tools.url('quick')),
          transform('t'),
        ],
        [edge(START, 'slow'), edge(START, 'long'), edge(START, 'quick'), edge('quick', 't')],
      ),
    ),
  'retry-long': (engine, tools) =>
    ended(
      engine,
      chain(http('h', tools.url('retry-long', { fail: 1 }), { method: 'PUT' }, { ...LONG, ...TWICE })),
    ),
  items: (engine, tools) => ended(engine, chain(itemsOf(tools.url('items')), transform('t')), ROWS),
  'items-outlive': (engine, tools) =>
    ended(engine, chain(itemsOf(tools.url('items-long', { delay_ms: 1_300 })), transform('t')), ROWS),
  'items-retry': (engine, tools) =>
    ended(engine, chain(itemsOf(tools.url('items-retry', { fail: 1 }), TWICE)), ROWS),
  'items-long': (engine, tools) =>
    ended(engine, chain(itemsOf(tools.url('items-apart'), LONG), transform('t')), ROWS),
  async 'items-cancel'(engine, tools) {
    const run = await engine.accept(chain(itemsOf(tools.url('items-cancel', { delay_ms: 60_000 }))), ROWS);
    await tools.waitFor('items-cancel', 2);
    await cancel(engine, run);
    return run;
  },
  async 'child-late'(engine, tools) {
    const slow = chain(http('h', tools.url('late-child', { delay_ms: 60_000 })));
    const workflowId = await deploy(engine, slow);
    const late = { on_error: 'continue', timeout_ms: 1_000 };
    return ended(engine, chain(node('s', 'tool', { kind: 'workflow', workflow_id: workflowId }, late)));
  },
  async 'continue-as-new'(engine, tools) {
    const bodies = Array.from({ length: 20 }, (_, i) =>
      http(`h${i}`, tools.url('long'), { method: 'GET' }, LONG),
    );
    const run = await engine.accept(loop(bodies, 70), {}, { recursionLimit: 1_000 });
    return (await engine.follow(run, 120_000)).accepted;
  },
};

function withoutMachine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OF_THE_MACHINE.has(key))
      .map(([key, each]) => [key, withoutMachine(each)]),
  );
}

/** Ingests of documents, by the ids of their executions. */
const INGESTS: Readonly<Record<string, (engine: TestEngine, provider: ModelServer) => Promise<string>>> = {
  ingest: async (engine) => {
    const { db, organizationId } = engine;
    const { id: documentId } = await ingested(
      db,
      await uploadTo(engine, await storedBase(db, organizationId), 'A text.'),
    );
    return toIngestWorkflowId({ organizationId, documentId, attempt: 1 });
  },
  'ingest-failed': async (engine, provider) => {
    const { db, organizationId } = engine;
    provider.scriptEmbeddings({ status: 500 }, { status: 400 });
    const { id: documentId } = await ingested(
      db,
      await uploadTo(engine, await storedBase(db, organizationId), 'A text.'),
    );
    return toIngestWorkflowId({ organizationId, documentId, attempt: 1 });
  },
};

/** Waits until an execution is over: its row is before it. */
async function isOver(engine: TestEngine, workflowId: string): Promise<void> {
  const [, organizationId = '', , documentId = '', attempt] = workflowId.split('/');
  const ref = { organizationId, documentId, attempt: Number(attempt) };
  await eventually('the execution to end', 30_000, async () =>
    (await engine.engine.ingests.readState(ref)) === 'RUNNING' ? null : true,
  );
}

/**
 * Plays features and writes the histories of their execution chains, one compressed JSON file per feature.
 * @param only the beginning of the names to record anew; null: those that have none yet
 */
export async function recordHistories(only: string | null): Promise<void> {
  const { engine, recorder: tools, model: provider } = await startEngineWithModel();
  const histories = await openHistories();
  try {
    const recorded = await readdir(DIRECTORY);
    const isWanted = (name: string): boolean =>
      only === null ? !recorded.includes(`${name}.json.gz`) : name.startsWith(only);
    const plays = [
      ...Object.entries(FEATURES).map(([name, play]) => {
        const ended = async (): Promise<string> => {
          const run = await play(engine, tools, provider);
          await closedAs(engine, run);
          return workflowIdOf(engine, run);
        };
        return [name, ended] as const;
      }),
      ...Object.entries(INGESTS).map(([name, play]) => {
        const ended = async (): Promise<string> => {
          const workflowId = await play(engine, provider);
          await isOver(engine, workflowId);
          return workflowId;
        };
        return [name, ended] as const;
      }),
    ];
    for (const [name, play] of plays.filter(([feature]) => isWanted(feature))) {
      const chainOf = await histories.chain(await play());
      const json = chainOf.map((history) => withoutMachine(JSON.parse(historyToJSON(history as never))));
      await writeFile(new URL(`${name}.json.gz`, DIRECTORY), gzipSync(JSON.stringify(json), { level: 9 }));
    }
  } finally {
    await histories.close();
    await engine.close();
  }
}

export interface Recorded {
  /** `feature#part of the chain` */
  readonly name: string;
  readonly history: History;
}

/** The corpus. */
export async function readHistories(): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const file of (await readdir(DIRECTORY)).toSorted()) {
    const text = gunzipSync(await readFile(new URL(file, DIRECTORY))).toString('utf8');
    const parts = JSON.parse(text) as unknown[];
    parts.forEach((part, index) => {
      const name = `${file.replace('.json.gz', '')}#${index}`;
      recorded.push({ name, history: historyFromJSON(part) });
    });
  }
  return recorded;
}
