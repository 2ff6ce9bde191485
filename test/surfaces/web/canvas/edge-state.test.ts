/** An edge that a run has taken must be drawn so, whoever started the run. */
import { expect, test } from 'vitest';
import type { RunProgress } from '../../../../src/features/canvas/client/presence.ts';
import { findEdgeState, indexEdges } from '../../../../src/surfaces/web/canvas/edge-state.ts';
import { RunBoard } from '../../../../src/surfaces/web/canvas/run-board.ts';

const edge = (handle: string, target = 'b', isConditional = false) => ({
  source: 'a',
  target,
  handle,
  isConditional,
});
const EDGES = indexEdges(['approve', 'reject', 'error', 'default'].map((handle) => edge(handle)));

const read = (board: RunBoard, handle: string): string =>
  findEdgeState((id) => board.node(id), edge(handle), EDGES);

test.each([
  ['completed', 'approve', { approve: 'taken', reject: 'skipped', default: 'skipped' }],
  ['reused', 'default', { default: 'taken', reject: 'skipped' }],
  ['failed', 'error', { error: 'taken', default: 'skipped' }],
  ['failed', 'default', { error: 'skipped', default: 'taken' }],
  ['failed', null, { error: 'skipped', default: 'skipped' }],
  ['skipped', 'default', { default: 'taken' }],
  ['skipped', null, { default: 'skipped' }],
  ['running', undefined, { default: '' }],
] as const)("a colleague's node that is %s and has left by %s", (status, selectedHandle, edges) => {
  const board = new RunBoard(() => undefined);
  const news: RunProgress = { runId: 'theirs', nodeId: 'a', status, seq: 1 };
  board.hear(selectedHandle === undefined ? news : { ...news, selectedHandle });
  for (const [handle, state] of Object.entries(edges)) expect(read(board, handle)).toBe(state);
});

test('a node of which an older server tells no handle leaves its edges without a mark', () => {
  const board = new RunBoard(() => undefined);
  board.hear({ runId: 'theirs', nodeId: 'a', status: 'completed', seq: 1 });
  expect(read(board, 'default')).toBe('');
  board.hear({ runId: 'theirs', nodeId: 'a', status: 'skipped', seq: 2 });
  expect(read(board, 'default')).toBe('skipped');
});

test('a handle without edges of its own falls back to the default one, as in the engine', () => {
  const leave = (handle: string) => (id: string) =>
    id === 'a' ? { status: 'completed', handle } : undefined;
  const edges = [edge('default'), edge('reject')];
  const readLeft = (handle: string) =>
    edges.map((one) => findEdgeState(leave(handle), one, indexEdges(edges)));
  expect(readLeft('approve')).toEqual(['taken', 'skipped']);
  expect(readLeft('reject')).toEqual(['skipped', 'taken']);
  // Of these the path ends.
  for (const strict of ['error', 'fail', 'else']) expect(readLeft(strict)).toEqual(['skipped', 'skipped']);
});

test('an edge with a condition is taken only where its target says so', () => {
  const state = (target: object | undefined, ...others: readonly ReturnType<typeof edge>[]) => {
    const conditional = edge('default', 'b', true);
    const nodes: Readonly<Record<string, object | undefined>> = {
      a: { status: 'completed', handle: 'default' },
      b: target,
    };
    const find = (id: string) => nodes[id] as never;
    return findEdgeState(find, conditional, indexEdges([conditional, ...others]));
  };
  expect(state(undefined)).toBe('');
  expect(state({ status: 'skipped', handle: null })).toBe('skipped');
  expect(state({ status: 'running', handle: undefined })).toBe('taken');
  expect(state({ status: 'completed', handle: 'default' }, edge('reject'))).toBe('');
});
