/** A page would show a model's text twice or in pieces, lose events of a run, or hide why its stream has ended. */
import { expect, test } from 'vitest';
import type { RunEvent, WorkflowClient } from '../../../../src/surfaces/client/client.ts';
import { RunStream } from '../../../../src/surfaces/web/runs/run-stream.ts';

const node = { step_id: 's', node_id: 'answer', node_name: 'Answer' };
const token = (seq: number, delta: string): object => ({
  type: 'token',
  channel: 'content',
  seq,
  delta,
  ...node,
});

interface Streaming {
  readonly client: WorkflowClient;
  readonly push: (...events: object[]) => void;
  readonly end: (error?: Error) => void;
}

/** A client whose one stream says what the test pushes. */
function streaming(): Streaming {
  const stream = new TransformStream<RunEvent, RunEvent>();
  const writer = stream.writable.getWriter();
  const events = () => stream.readable.values();
  return {
    client: { runs: { byRunId: () => ({ events }) } } as unknown as WorkflowClient,
    push: (...pushed) => {
      for (const event of pushed) void writer.write(event as RunEvent);
    },
    end: (error) => void (error === undefined ? writer.close() : writer.abort(error)),
  };
}

test('tokens are one text until their node ends or says it anew; every event but heartbeats is kept', async () => {
  const { client, push, end } = streaming();
  const stream = new RunStream({ client, nextFrame: setImmediate }, 'r');
  push({ type: 'heartbeat', nodes: [] }, token(1, 'Hel'), token(2, 'lo'));
  await expect.poll(() => stream.state.writing).toEqual([{ stepId: 's', nodeName: 'Answer', text: 'Hello' }]);
  push({ type: 'token_reset', seq: 3, reason: 'retry', ...node }, token(4, 'Hi'));
  await expect.poll(() => stream.state.writing[0]?.text).toBe('Hi');
  push({ type: 'node_completed', seq: 5, ...node });
  await expect.poll(() => stream.state.writing).toEqual([]);
  end();
  await expect.poll(() => stream.state.end).toBe('over');
  expect(stream.state.events).toHaveLength(5);
  stream.dispose();
});

test('of a long run the newest thousand events are shown, and a stream that is gone tells why', async () => {
  const { client, push, end } = streaming();
  const stream = new RunStream({ client, nextFrame: setImmediate }, 'r');
  push(...Array.from({ length: 1_200 }, (_, index) => token(index + 1, '.')));
  await expect.poll(() => stream.state.older).toBe(200);
  expect(stream.state.events[0]).toMatchObject({ seq: 201 });
  end(new Error('gone'));
  await expect.poll(() => stream.state.end).toMatchObject({ message: 'gone' });
});
