/** Text that many nodes stream at the same moment would be lost, doubled or out of order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { START, edge, node, workflow } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import type { ModelServer } from '../support/model-server.ts';

const STREAMS = 20;
const TOKENS = 150;

let engine: TestEngine;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, model } = await startEngineWithModel());
});
afterAll(() => engine.close());

test('20 models at 50 tokens a second: every token once, in order; the numbers have no gap', async () => {
  const pieces = Array.from({ length: TOKENS }, (_, i) => `t${i} `);
  model.script({ text: pieces, delayMs: 20 });
  const ids = Array.from({ length: STREAMS }, (_, i) => `m${i}`);
  const config = { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: 'x' }] };
  const played = await engine.play(
    workflow(
      ids.map((id) => node(id, 'llm', config)),
      ids.map((id) => edge(START, id)),
    ),
    {},
    {},
    60_000,
  );
  expect(played.end.type).toBe('run_completed');
  for (const id of ids) {
    const said = played.of('token', id);
    expect(said.map((frame) => String(frame['delta'])).join('')).toBe(pieces.join(''));
    // Batched (50 ms here), but live: not one frame at the end.
    expect(said.length).toBeGreaterThan(5);
    const [started] = played.of('node_started', id);
    const [completed] = played.of('node_completed', id);
    expect(said.every((frame) => frame.seq > started!.seq && frame.seq < completed!.seq)).toBe(true);
  }
  expect(played.frames.map((frame) => frame.seq)).toEqual(played.frames.map((_, i) => i + 1));
  expect(played.end['usage']).toEqual({
    input_tokens: 7 * STREAMS,
    output_tokens: 3 * STREAMS,
    total_tokens: 10 * STREAMS,
  });
});
