/** A canvas would mark its nodes with the wrong run: its own is told by its stream, others' by the room, which is later. */
import { expect, test } from 'vitest';
import type { RunProgress } from '../../../../src/features/canvas/client/presence.ts';
import { RunBoard } from '../../../../src/surfaces/web/canvas/run-board.ts';

const news = (runId: string, seq: number, status: string, nodeId: string | null = null): RunProgress => ({
  runId,
  nodeId,
  status,
  seq,
});
const question = {
  interruptId: 'int_1',
  nodeId: 'a',
  kind: 'approval',
  isCallback: false,
  title: '',
  message: '',
  payload: null,
  actions: [],
  form: null,
  required: 1,
  expiresAt: null,
};

test('a run of somebody else is shown from its news; the next one when it is over', () => {
  const board = new RunBoard(() => undefined);
  board.hear(news('one', 1, 'running'));
  board.hear(news('one', 2, 'completed', 'a'));
  board.hear(news('two', 1, 'running'));
  expect(board.run).toMatchObject({ runId: 'one', status: 'running' });
  board.hear(news('one', 3, 'completed'));
  expect(board.node('a')?.status).toBe('completed');
  board.hear(news('two', 2, 'running', 'a'));
  expect(board.run).toMatchObject({ runId: 'two', status: 'running' });
  expect(board.node('a')?.status).toBe('running');
});

test('late news of a run that was answered, or that another has followed, do not bring it back', () => {
  const board = new RunBoard(() => undefined);
  board.begin('asked', { isFollowed: true });
  board.change({ status: 'interrupted' });
  board.continueAs('answered');
  board.set('a', { status: 'completed' });
  board.change({ status: 'completed' });
  board.hear(news('asked', 5, 'interrupted'));
  expect(board.run).toMatchObject({ runId: 'answered', status: 'completed' });
  expect(board.node('a')?.status).toBe('completed');
  board.begin('next', { isFollowed: true });
  board.change({ status: 'completed' });
  board.hear(news('answered', 9, 'completed'));
  expect(board.run.runId).toBe('next');
});

test.each(['own', 'watched'])(
  'a run that is %s keeps its place when it has ended: a newer one is offered beside it',
  (how) => {
    const board = new RunBoard(() => undefined);
    if (how === 'own') board.begin('mine', { isFollowed: true });
    else {
      board.hear(news('mine', 1, 'running'));
      board.watch();
    }
    board.set('a', { status: 'failed' });
    board.change({ status: 'failed' });
    expect(board.run.newer).toBeNull();
    // The end of a run that began before is none of a newer one.
    board.hear(news('before', 9, 'cancelled'));
    expect(board.run.newer).toBeNull();
    board.hear(news('theirs', 1, 'running'));
    board.hear(news('theirs', 2, 'completed', 'a'));
    board.hear(news('another', 1, 'running'));
    expect(board.run).toMatchObject({
      runId: 'mine',
      status: 'failed',
      newer: { runId: 'theirs', status: 'running' },
    });
    expect(board.node('a')?.status).toBe('failed');
    board.hear(news('theirs', 3, 'interrupted'));
    board.hear({ ...news('their answer', 1, 'running'), resumedFromRunId: 'theirs' });
    board.hear({ ...news('their answer', 2, 'completed'), resumedFromRunId: 'theirs' });
    expect(board.run.newer).toEqual({ runId: 'theirs', status: 'completed' });
    board.hear(news('next', 1, 'running', 'a'));
    expect(board.run.newer).toEqual({ runId: 'next', status: 'running' });
    board.beginNewer();
    expect(board.run).toMatchObject({ runId: 'next', isOwn: false, newer: null });
  },
);

test('the segment that continues the own run, told before its stream has ended, is no newer run', () => {
  const board = new RunBoard(() => undefined);
  board.begin('own', { isFollowed: true });
  board.hear({ ...news('answered', 1, 'running'), resumedFromRunId: 'own' });
  expect(board.run.newer).toBeNull();
});

test('RUN-3.5: a run that waits is over when the room says so, for its stream has ended', () => {
  const board = new RunBoard(() => undefined);
  board.begin('asked', { isFollowed: true });
  board.change({ status: 'interrupted', questions: [question] });
  board.hear(news('asked', 4, 'interrupted'));
  expect(board.run).toMatchObject({ status: 'interrupted', questions: [question] });
  board.hear(news('asked', 5, 'cancelled'));
  expect(board.run).toMatchObject({ runId: 'asked', status: 'cancelled', questions: [] });
});

test('nodes that were at work when their run ended are cancelled with it, whoever tells of the end', () => {
  const marks = (board: RunBoard) => [...board.nodes].map(([id, { status }]) => `${id} ${status}`);
  const own = new RunBoard(() => undefined);
  own.begin('own', { isFollowed: true });
  own.set('a', { status: 'completed' });
  own.set('b', { status: 'waiting' });
  own.change({ status: 'interrupted', questions: [question] });
  expect(marks(own)).toEqual(['a completed', 'b waiting']);
  own.hear(news('own', 5, 'cancelled'));
  expect(marks(own)).toEqual(['a completed', 'b cancelled']);

  const failed = new RunBoard(() => undefined);
  failed.begin('own', { isFollowed: true });
  for (const [id, status] of [
    ['a', 'failed'],
    ['b', 'running'],
    ['c', 'retrying'],
    ['d', 'skipped'],
  ] as const)
    failed.set(id, { status });
  failed.change({ status: 'failed', error: 'no' });
  expect(marks(failed)).toEqual(['a failed', 'b cancelled', 'c cancelled', 'd skipped']);

  const theirs = new RunBoard(() => undefined);
  theirs.hear(news('theirs', 1, 'running', 'a'));
  theirs.hear(news('theirs', 2, 'cancelled'));
  expect(marks(theirs)).toEqual(['a cancelled']);
});

test("RUN-3.5: somebody else's answer continues the run that is watched, and its nodes keep their marks", () => {
  const board = new RunBoard(() => undefined);
  board.hear(news('asks', 1, 'completed', 'a'));
  board.hear(news('asks', 2, 'interrupted'));
  board.hear({ ...news('goes on', 2, 'running', 'b'), resumedFromRunId: 'asks' });
  expect(board.run).toMatchObject({ runId: 'goes on', firstRunId: 'asks', status: 'running' });
  expect([...board.nodes].map(([id, { status }]) => [id, status])).toEqual([
    ['a', 'completed'],
    ['b', 'running'],
  ]);
  board.hear(news('another', 1, 'running'));
  board.hear({ ...news('goes on', 3, 'completed'), resumedFromRunId: 'asks' });
  expect(board.run).toMatchObject({ runId: 'goes on', status: 'completed' });
  // News of the pause that come after the end do not bring it back.
  board.hear(news('asks', 4, 'interrupted'));
  expect(board.run).toMatchObject({ runId: 'goes on', status: 'completed' });
});

test('RUN-3.5: the news of an answer to the own run are told once its stream has ended, those of other runs never', () => {
  const board = new RunBoard(() => undefined);
  const told: (string | undefined)[] = [];
  board.onContinuation(() => told.push(board.continuation));
  board.begin('own', { isFollowed: true });
  board.change({ status: 'interrupted', questions: [question] });
  board.hear({ ...news('of a colleague', 1, 'running'), resumedFromRunId: 'another' });
  expect(told).toEqual([]);
  expect(board.run).toMatchObject({ runId: 'own', questions: [question] });
  board.hear({ ...news('answered', 1, 'running'), resumedFromRunId: 'own' });
  expect(told).toEqual(['answered']);
});

test('a node that was edited since the shown run is known; a move, a name and a pin are no edits', () => {
  const board = new RunBoard(() => undefined);
  const node = { id: 'a', type: 'llm', name: 'A', position: { x: 0, y: 0 }, config: { model: 'small' } };
  board.begin('run', { isFollowed: true });
  board.keepDefinition({ nodes: [{ ...node, mock: { enabled: true } }] });
  expect(board.isEdited('a', { ...node, config: { model: 'large' } })).toBe(false);
  board.set('a', { status: 'completed' });
  expect(board.isEdited('a', { ...node, name: 'B', position: { x: 8, y: 0 } })).toBe(false);
  expect(board.isEdited('a', { ...node, config: { model: 'large' } })).toBe(true);
  board.begin('next');
  board.set('a', { status: 'completed' });
  expect(board.isEdited('a', { ...node, config: { model: 'large' } })).toBe(false);
});
