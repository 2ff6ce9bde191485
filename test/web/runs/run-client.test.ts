/** A run that the canvas follows by its stream, over the parts that answers begin. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RunBoard } from '../../../src/web/canvas/run-board.ts';
import { RunClient } from '../../../src/web/canvas/run-client.ts';
import { startScriptedServer, type ScriptedServer } from '../../client/support/scripted-server.ts';

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
    const isHistory = url.includes('/workflow-runs');
    response.writeHead(200, { 'content-type': isHistory ? 'application/json' : 'text/event-stream' });
    const waits = `id: 1\ndata: ${JSON.stringify({ ...asks, actions: [], form: null })}\n\n${end('run_interrupted', { status: 'interrupted', interrupts: [] })}`;
    const over = end('run_completed', { status: 'completed', output: 1 });
    const history = url.includes('/pk') ? record : { runs: [{ id: 'pk' }], has_more: false };
    response.end(isHistory ? JSON.stringify(history) : url.includes('/third') ? over : waits);
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
