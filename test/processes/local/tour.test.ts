/** The tour of the demo would stop, or show broken frames and links. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ApiClient, UnexpectedAnswer, type StreamedFrame } from '../../../src/processes/local/api-client.ts';
import { resolveEntitlements } from '../../../src/platform/billing/plans.ts';
import { DEMO_PLAN, formatFrame, buildTemporalLink } from '../../../src/processes/local/tour.ts';

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

/** A server that sends these pieces as one body, whatever is asked. */
async function serving(status: number, pieces: readonly string[]): Promise<string> {
  const made = createServer((_request, response) => {
    response.writeHead(status);
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

test('frames are read whatever the cuts between the pieces, and keep-alives are not frames', async () => {
  const url = await serving(200, [
    'data: {"type":"a","s',
    'eq":1}\n',
    '\n: ping\n\nda',
    'ta: {"type":"b"}\n\n',
  ]);
  const frames: StreamedFrame[] = [];
  for await (const frame of new ApiClient(url, 'token').listen('/x')) frames.push(frame);
  expect(frames).toEqual([{ type: 'a', seq: 1 }, { type: 'b' }]);
});

test('a refusal is an error with the status and the body', async () => {
  const url = await serving(402, ['{"code":"credit_plan_exhausted"}']);
  const refused = new ApiClient(url, 'token').call('POST', '/workflows/run', {});
  await expect(refused).rejects.toThrow(UnexpectedAnswer);
  await expect(refused).rejects.toThrow('POST /workflows/run answered 402: {"code":"credit_plan_exhausted"}');
});

test('a loop of hundreds of runs meets no limit of the plan of the demo', () => {
  const terms = resolveEntitlements({ plan: DEMO_PLAN, overrides: {}, isSuspended: false });
  expect(terms).toMatchObject({ sync_exec: null, api: null, monthly_credits: null });
  expect(terms.runs_under_way).toBeGreaterThanOrEqual(1_000);
});

test('a frame is shown on one line without its common fields', () => {
  const common = { run_id: 'r', thread_id: 't', timestamp: 'now', node_name: 'Greet', node_type: 'llm' };
  const line = formatFrame({
    ...common,
    type: 'node_completed',
    seq: 3,
    node_id: 'greet',
    output: { text: 'hi' },
    error: null,
  });
  expect(line).toBe('   3  node_completed   greet        output={"text":"hi"}');
  expect(formatFrame({ type: 'token', delta: 'x'.repeat(500) }).length).toBe(150);
});

test('the link to Temporal encodes the id of the execution', () => {
  expect(buildTemporalLink('http://127.0.0.1:8233', 'default', { organizationId: 'o-1', runPk: 'r-1' })).toBe(
    'http://127.0.0.1:8233/namespaces/default/workflows/org%2Fo-1%2Frun%2Fr-1',
  );
});
