/** Handshakes, joins, saves and operator requests must be traced, without content of workflows. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordSpans, type FinishedSpan, type SpanRecorder } from '../../support/spans.ts';
import type { Tenant } from '../../support/api-server.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { Peer } from './support/peer.ts';

let spans: SpanRecorder;
let canvas: Canvas;
let tenant: Tenant;
beforeAll(async () => {
  spans = recordSpans();
  canvas = await startCanvas();
  tenant = await canvas.api.tenant();
});
afterAll(async () => {
  await canvas.close();
  await spans.stop();
});

const CANARY = `CANARY${randomUUID()}`;
const factsOf = ({ attributes, status }: FinishedSpan): unknown => [attributes, status.code];

test('connecting, joining, editing and saving are four traces without content', async () => {
  const about = { 'app.organization_id': tenant.org };
  const peer = await canvas.peer(tenant);
  expect(factsOf(await spans.find('handshake'))).toEqual([about, 0]);
  const workflowId = await canvas.workflow(tenant);
  await peer.join(workflowId);
  const join = await spans.find('workflow:join');
  expect(factsOf(join)).toEqual([about, 0]);
  await peer.op('node:update', workflowId, { nodeId: 'a', changes: { name: CANARY } });
  await peer.flush(workflowId);
  const save = await spans.find('room save');
  const saved = { ...about, 'app.workflow_id': workflowId, 'app.patches': 1, 'app.outcome': 'saved' };
  expect(factsOf(save)).toEqual([saved, 0]);
  const flush = await spans.find('workflow:flush');
  const traces = new Set([join, save, flush].map((span) => span.spanContext().traceId));
  expect([traces.size, save.parentSpanContext]).toEqual([3, undefined]);
  peer.close();
  const told = spans
    .spans()
    .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
  expect(JSON.stringify(told)).not.toContain(CANARY);
  expect(told.map(([name]) => name)).not.toContain('node:update');
});

test('a rejection fails its span with its code', async () => {
  const auth = { token: CANARY, organizationId: tenant.org };
  await expect(Peer.connect({ url: canvas.url, auth })).rejects.toMatchObject({
    data: { code: 'TOKEN_INVALID' },
  });
  const handshake = await spans.find('handshake', (span) => span.status.code === 2);
  expect(handshake.attributes).toEqual({ 'error.type': 'TOKEN_INVALID' });
  const peer = await canvas.peer(tenant);
  await peer.call('workflow:join', { workflowId: randomUUID() });
  const join = await spans.find('workflow:join', (span) => span.status.code === 2);
  expect(join.attributes['error.type']).toBe('WORKFLOW_NOT_FOUND');
  peer.close();
});

test("an operator's request belongs to the trace of its traceparent", async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await fetch(`${canvas.url}/admin/stats?api_key=${CANARY}`, { headers });
  const stats = await spans.find('GET /admin/stats');
  expect(stats.spanContext().traceId).toBe(traceId);
  expect(stats.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/admin/stats',
    'http.response.status_code': 503,
    'error.type': '503',
  });
  await fetch(`${canvas.url}/${CANARY}`);
  const unknown = await spans.find('GET');
  expect(unknown.attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 404 });
});
