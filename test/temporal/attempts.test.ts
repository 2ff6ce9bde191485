/** A node whose task a worker cannot read, because it lacks the key, would be given up as lost, or be delivered without rest. */
import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SkeletonNode } from '../../src/language/graph/definition/skeleton.ts';
import type { NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import type { handleFailure as HandleFailure } from '../../temporal/interpreter/attempts.ts';
import { MISSING_KEY } from '../../temporal/contract.ts';

const waited: [number, unknown][] = [];
let handleFailure: typeof HandleFailure;
beforeAll(async () => {
  // Outside of a workflow the SDK has no timers.
  vi.doMock('@temporalio/workflow', async (importOriginal) => ({
    ...(await importOriginal<object>()),
    sleep: async (ms: number, options: unknown) => void waited.push([ms, options]),
  }));
  vi.resetModules();
  ({ handleFailure } = await import('../../temporal/interpreter/attempts.ts'));
});
afterAll(() => {
  vi.doUnmock('@temporalio/workflow');
  vi.resetModules();
});

test.each(['activity', 'local activity'])(
  'an %s that lacks the key is tried again a minute later, under the name of its node',
  async (kind) => {
    waited.length = 0;
    const node = { id: 'pay', type: 'tool' } as SkeletonNode;
    const task = { itemIndex: 2 } as NodeTask;
    const cause = ApplicationFailure.retryable('No key', MISSING_KEY);
    const error =
      kind === 'activity'
        ? new ActivityFailure('failed', 'tool', '1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'worker', cause)
        : cause;
    expect(await handleFailure({ node, task }, error)).toBeNull();
    expect(waited).toEqual([[60_000, { summary: expect.stringContaining('pay') }]]);
  },
);
