/** The tree of a run in a terminal would not show which run to answer. */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/surfaces/client/client.ts';
import { RunTree } from '../../../src/surfaces/cli/run-tree.ts';

const event = (type: string, more: object): RunEvent =>
  ({ type, step_id: 's', node_id: 'refund', node_name: 'Refund', depth: 0, ...more }) as RunEvent;
const show = (tree: RunTree): string[] =>
  tree
    .lines(0, 80)
    .map((parts) => parts.map((part) => (typeof part === 'string' ? part : part.text)).join(''));

test('RUN-3.6: a waiting sub-workflow shows the run to answer until that run continues', () => {
  const tree = new RunTree();
  tree.take(event('node_started', {}));
  tree.take(event('progress', { data: { waits_for: [{ run_id: 'r1' }, { run_id: 'r2' }] } }));
  const waits = 'waiting for an answer in run';
  expect(show(tree)).toEqual([`? Refund  ${waits} r1, ${waits} r2`]);
  tree.take(event('progress', { data: { iteration: 1 } }));
  expect(show(tree)).toEqual([`? Refund  ${waits} r1, ${waits} r2`]);
  tree.take(event('progress', { data: { waits_for: [] } }));
  expect(show(tree)).toEqual(['⠋ Refund']);
});
