/** The canvas would stop at a question of the run that it follows, or go on with another run than the answer has continued. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RunBoard } from '../../../../src/surfaces/web/canvas/run-board.ts';
import { RunClient } from '../../../../src/surfaces/web/canvas/run-client.ts';
import { json, startScriptedServer, type ScriptedServer } from '../../client/support/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

test('RUN-3.5: a run that somebody else has answered is followed to where it goes on', async () => {
  server.handler = ({ url }, response) => {
    const isFirst = url.includes('/first');
    const end = isFirst
      ? {
          type: 'run_interrupted',
          seq: 2,
          status: 'interrupted',
          interrupts: [],
          resumed_by_run_id: 'second',
        }
      : { type: 'run_completed', seq: 2, status: 'completed', output: 'done' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`id: 2\ndata: ${JSON.stringify(end)}\n\n`);
  };
  const board = new RunBoard(() => undefined);
  const runs = new RunClient(server.client(), board);
  const stop = runs.open();
  runs.follow('first');
  await vi.waitFor(() => expect(board.run.status).toBe('completed'));
  expect(board.run).toMatchObject({ runId: 'second', output: 'done', questions: [] });
  stop();
});

test('RUN-3.6: a sub-workflow that waits for an answer is marked so, until it goes on', async () => {
  const told = (seq: number, data: object): string =>
    `id: ${seq}\ndata: ${JSON.stringify({ type: 'progress', seq, node_id: 'sub', step_id: 's', data })}\n\n`;
  const marks: unknown[] = [];
  server.handler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const end = { type: 'run_completed', seq: 4, status: 'completed', output: 'done' };
    const waits = { waits_for: [{ run_id: 'below' }] };
    response.end(
      `${told(1, { iteration: 1 })}${told(2, waits)}${told(3, { waits_for: [] })}id: 4\ndata: ${JSON.stringify(end)}\n\n`,
    );
  };
  const board = new RunBoard(() => undefined);
  const set = board.set.bind(board);
  vi.spyOn(board, 'set').mockImplementation((nodeId, change) => {
    marks.push([nodeId, change]);
    set(nodeId, change);
  });
  const runs = new RunClient(server.client(), board);
  const stop = runs.open();
  runs.follow('first');
  await vi.waitFor(() => expect(board.run.status).toBe('completed'));
  expect(marks).toEqual([
    ['sub', { status: 'waiting' }],
    ['sub', { status: 'running' }],
  ]);
  stop();
});

test('texts of a loop that models write at once are told apart by their steps, and each ends with its own step', async () => {
  const [node, seen]: [{ node_id: string }, unknown[]] = [{ node_id: 'each' }, []];
  const write = (step: string, delta: string): object => ({
    type: 'token',
    channel: 'content',
    step_id: step,
    delta,
  });
  const events = [
    write('s1', 'One'),
    write('s2', 'Two'),
    write('s1', ' is'),
    { type: 'token_reset', reason: 'retry', step_id: 's2' },
    write('s2', 'Second'),
    { type: 'node_completed', step_id: 's1', output: 'One is', selected_handle: 'default' },
    write('s2', ' is'),
  ];
  server.handler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const told = events.map((event, index) => ({ ...event, ...node, seq: index + 1 }));
    const end = { type: 'run_completed', seq: told.length + 1, status: 'completed', output: 'done' };
    response.end([...told, end].map((one) => `id: ${one.seq}\ndata: ${JSON.stringify(one)}\n\n`).join(''));
  };
  const board = new RunBoard(() => undefined);
  const note = (): void => void seen.push(board.texts('each').map(({ stepId, text }) => `${stepId} ${text}`));
  const [append, forget] = [board.append.bind(board), board.forget.bind(board)];
  vi.spyOn(board, 'append').mockImplementation((place, delta) => {
    append(place, delta);
    note();
  });
  vi.spyOn(board, 'forget').mockImplementation((place) => {
    forget(place);
    note();
  });
  const runs = new RunClient(server.client(), board);
  const stop = runs.open();
  runs.follow('first');
  await vi.waitFor(() => expect(board.run.status).toBe('completed'));
  expect(seen).toEqual([
    ['s1 One'],
    ['s1 One', 's2 Two'],
    ['s1 One is', 's2 Two'],
    ['s1 One is'],
    ['s1 One is', 's2 Second'],
    ['s2 Second'],
    ['s2 Second is'],
  ]);
  stop();
});

test('RUN-3.5: a question that is answered elsewhere goes, and the run is followed further, also after a lost connection', async () => {
  const end = (type: string, more: object): string =>
    `id: 2\ndata: ${JSON.stringify({ type, seq: 2, ...more })}\n\n`;
  const asks = {
    type: 'interrupt',
    seq: 1,
    node_id: 'a',
    interrupt_id: 'int_1',
    title: 'Go on?',
    message: '',
  };
  const record = { id: 'pk', status: 'interrupted', steps: [], resumed_by_run_ids: ['third'] };
  server.handler = ({ url }, response) => {
    const isRecord = /\/runs\/[^/]+$/.test(url);
    response.writeHead(200, { 'content-type': isRecord ? 'application/json' : 'text/event-stream' });
    const waits = `id: 1\ndata: ${JSON.stringify({ ...asks, actions: [], form: null })}\n\n${end('run_interrupted', { status: 'interrupted', interrupts: [] })}`;
    const over = end('run_completed', { status: 'completed', output: 1 });
    response.end(isRecord ? JSON.stringify(record) : url.includes('/third') ? over : waits);
  };
  const board = new RunBoard(() => undefined);
  const runs = new RunClient(server.client(), board);
  const stop = runs.open();
  runs.follow('first');
  await vi.waitFor(() => expect(board.run).toMatchObject({ status: 'interrupted', questions: [{}] }));
  board.hear({ runId: 'second', nodeId: null, status: 'running', seq: 1, resumedFromRunId: 'first' });
  expect(board.run).toMatchObject({ runId: 'second', status: 'running', questions: [] });
  await vi.waitFor(() => expect(board.run).toMatchObject({ status: 'interrupted', questions: [{}] }));
  expect(board.node('a')?.status).toBe('waiting');
  await runs.catchUp();
  await vi.waitFor(() => expect(board.run).toMatchObject({ runId: 'third', status: 'completed' }));
  expect(board.run.firstRunId).toBe('first');
  stop();
});

test('a run of somebody else that is opened shows its values and questions, and is not cancelled from here', async () => {
  const asked: string[] = [];
  server.handler = ({ url, method }, response) => {
    asked.push(`${method} ${url.replace(/\?.*/, '')}`);
    const told = [
      {
        type: 'node_completed',
        node_id: 'a',
        step_id: 's',
        output: 7,
        selected_handle: null,
        duration_ms: 1,
      },
      {
        type: 'interrupt',
        node_id: 'b',
        interrupt_id: 'int_1',
        title: 'Go on?',
        message: '',
        actions: [],
        form: null,
      },
      { type: 'run_interrupted', status: 'interrupted', interrupts: [] },
    ].map((event, at) => `id: ${at + 1}\ndata: ${JSON.stringify({ ...event, seq: at + 1 })}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(told.join(''));
  };
  const board = new RunBoard(() => undefined);
  const runs = new RunClient(server.client(), board);
  runs.watch();
  expect(asked).toEqual([]);
  board.hear({ runId: 'theirs', nodeId: 'a', status: 'completed', seq: 1 });
  runs.watch();
  await vi.waitFor(() =>
    expect(board.run).toMatchObject({ status: 'interrupted', questions: [{ title: 'Go on?' }] }),
  );
  expect(board.lastOutput('a')).toBe(7);
  expect(board.run).toMatchObject({ isOwn: false, isWatched: true });
  expect(await runs.cancel()).toBeNull();
  runs.watch();
  expect(asked.filter((one) => !one.includes('/workflow-runs'))).toHaveLength(1);
});

const ranNode = { id: 'a', type: 'llm', config: { model: 'small' } };
const isEdited = (board: RunBoard): boolean =>
  board.isEdited('a', { ...ranNode, config: { model: 'large' } });

/** Answers for a run of this definition that has ended. */
function serveRun(events: readonly object[]): string[] {
  const asked: string[] = [];
  server.handler = ({ url }, response) => {
    asked.push(url);
    if (/\/workflow-runs\?/.test(url)) return json(response, 200, { runs: [{ id: 'pk' }], total: 1 });
    if (url.endsWith('/definition')) return json(response, 200, { definition: { nodes: [ranNode] } });
    if (url.endsWith('/workflows/run')) return json(response, 202, { run_id: 'started', thread_id: 't' });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      events
        .map((event, at) => `id: ${at + 1}\ndata: ${JSON.stringify({ ...event, seq: at + 1 })}\n\n`)
        .join(''),
    );
  };
  return asked;
}
const failed = { code: 'x', message: 'no', retryable: false };
const ENDS = [
  { type: 'node_failed', node_id: 'a', error: failed, handled: true, on_error: 'continue' },
  { type: 'node_failed', node_id: 'b', error: failed, handled: true, on_error: 'branch' },
  { type: 'node_failed', node_id: 'c', error: failed, handled: false, on_error: 'branch' },
  { type: 'node_skipped', node_id: 'd', reason: 'disabled' },
  { type: 'node_skipped', node_id: 'e', reason: 'branch' },
  { type: 'run_completed', status: 'completed', output: 1 },
];

test('a node that fails or is left out says by which handle it was left', async () => {
  serveRun(ENDS);
  const board = new RunBoard(() => undefined);
  new RunClient(server.client(), board).follow('run');
  await vi.waitFor(() => expect(board.run.status).toBe('completed'));
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => board.node(id)?.handle)).toEqual([
    'default',
    'error',
    null,
    'default',
    null,
  ]);
});

test.each([
  ['started as the live version', (runs: RunClient) => void runs.start({ workflow_id: 'w' })],
  ['found after a reload', (runs: RunClient) => runs.follow('run')],
  [
    'opened, of a colleague,',
    (runs: RunClient, board: RunBoard) => {
      board.hear({ runId: 'theirs', nodeId: 'a', status: 'completed', seq: 1 });
      runs.watch();
    },
  ],
])('of a run that was %s the nodes that were edited since are known', async (_, show) => {
  serveRun(ENDS);
  const board = new RunBoard(() => undefined);
  show(new RunClient(server.client(), board), board);
  await vi.waitFor(() => expect(isEdited(board)).toBe(true));
});

test('the definition of a draft that is run here is known without a request', async () => {
  const asked = serveRun(ENDS);
  const board = new RunBoard(() => undefined);
  const runs = new RunClient(server.client(), board);
  await runs.start({ workflow: { nodes: [ranNode] } as never });
  await vi.waitFor(() => expect(isEdited(board)).toBe(true));
  await vi.waitFor(() => expect(board.run.status).toBe('completed'));
  expect(asked.filter((url) => url.includes('/workflow-runs'))).toEqual([]);
});

test("nodes that were edited since are known of a colleague's run, too, once it has ended", async () => {
  const asked: string[] = [];
  server.handler = ({ url }, response) => {
    asked.push(url);
    const definition = { nodes: [{ id: 'a', type: 'llm', config: { model: 'old' } }] };
    json(
      response,
      200,
      url.endsWith('/definition') ? { definition } : { runs: [{ id: 'pk' }], has_more: false },
    );
  };
  const board = new RunBoard((tell) => void setTimeout(() => tell(performance.now())));
  const stop = new RunClient(server.client(), board).open();
  const told = (nodeId: string | null, status: string, seq: number): void =>
    board.hear({ runId: 'theirs', nodeId, status, seq });
  told('a', 'completed', 1);
  const node = (model: string) => ({ id: 'a', type: 'llm', config: { model } });
  expect([board.isEdited('a', node('new')), asked]).toEqual([false, []]);
  told(null, 'completed', 2);
  await vi.waitFor(() => expect(board.isEdited('a', node('new'))).toBe(true));
  expect(board.isEdited('a', node('old'))).toBe(false);
  stop();
});
