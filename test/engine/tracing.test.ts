/** An operator could not follow one request to its nodes in one trace. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSpan } from '../../src/base/observe/tracing.ts';
import { chain, http, node } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { questionsOf, resume } from '../support/journeys.ts';
import { recordSpans, type FinishedSpan, type SpanRecorder } from '../support/spans.ts';

let spans: SpanRecorder;
let engine: TestEngine;
let tools: HttpRecorder;
beforeAll(async () => {
  spans = recordSpans();
  ({ engine, recorder: tools } = await startEngineWithRecorder());
});
afterAll(async () => {
  await engine.close();
  await spans.stop();
});

const CANARY = `CANARY${randomUUID()}`;

/** Does something as a request would: inside a span of a new trace. @returns the trace's id, and what was done */
function requested<T>(work: () => Promise<T>): Promise<{ traceId: string; spanId: string; result: T }> {
  const plan = { name: 'request', kind: 'server', traceparent: null, attributes: {} } as const;
  return inSpan(plan, async (span) => {
    const result = await work();
    span.end();
    return { ...span.spanContext(), result };
  });
}

const nodeSpan = (traceId: string, id: string): Promise<FinishedSpan> =>
  spans.find(
    'node tool',
    (span) => span.spanContext().traceId === traceId && span.attributes['node.id'] === id,
  );

test('a run belongs to the trace of its start, and after an answer to that of the answer', async () => {
  const [before, after] = [randomUUID(), randomUUID()];
  const question = { kind: 'input', title: CANARY, form: { type: 'object', properties: {} } };
  const definition = chain(
    http('before', tools.url(before), { body: { secret: CANARY } }),
    node('ask', 'interrupt', question),
    http('after', tools.url(after), { body: { secret: '{{input.secret}}' } }),
  );
  const started = await requested(() => engine.play(definition, { secret: CANARY }));
  const played = started.result;
  expect(played.end.type).toBe('run_interrupted');
  const first = await nodeSpan(started.traceId, 'before');
  expect(first.attributes).toEqual({
    'run.root_run_pk': played.accepted.runPk,
    'node.id': 'before',
    'node.type': 'tool',
    'node.visit': 1,
    'node.attempt': 1,
  });
  const delivery = await spans.find('outbox start', (span) => span.spanContext().traceId === started.traceId);
  expect(delivery.parentSpanContext?.spanId).toBe(started.spanId);
  const begun = await spans.find(
    'activity tool',
    (span) => span.spanContext().spanId === first.parentSpanContext?.spanId,
  );
  expect(begun.parentSpanContext?.spanId).toBe(delivery.spanContext().spanId);

  const answered = await requested(() =>
    resume(engine, played, { interrupt_id: questionsOf(played)['ask'] ?? '', data: { secret: CANARY } }),
  );
  expect(answered.result.end.type).toBe('run_completed');
  expect(answered.traceId).not.toBe(started.traceId);
  const second = await nodeSpan(answered.traceId, 'after');
  const activity = await spans.find(
    'activity tool',
    (span) => span.spanContext().spanId === second.parentSpanContext?.spanId,
  );
  expect(activity.attributes).toMatchObject({
    'temporal.workflow_id': `org/${engine.organizationId}/run/${played.accepted.runPk}`,
    'temporal.attempt': 1,
  });
  const resumed = await spans.find(
    'outbox resume',
    (span) => span.spanContext().traceId === answered.traceId,
  );
  const request = await spans.find('request', (span) => span.spanContext().spanId === answered.spanId);
  const start = { traceId: started.traceId, spanId: started.spanId };
  for (const span of [request, resumed])
    expect(span.links.map((link) => link.context)).toEqual([expect.objectContaining(start)]);

  for (const tag of [before, after]) {
    const [call] = tools.calls(tag);
    expect(call?.body).toEqual({ secret: CANARY });
    // Whom a tenant's tool calls is no part of our trace.
    expect(call?.headers).not.toHaveProperty('traceparent');
  }
  const told = spans.spans().map((span) => [span.name, span.attributes, span.events, span.status]);
  expect(JSON.stringify(told)).not.toContain(CANARY);
});

test('a failing node fails its span with a closed word', async () => {
  const definition = chain(
    http(
      'broken',
      tools.url(randomUUID(), { status: 400 }),
      { body: CANARY },
      { retry: { max_attempts: 1 } },
    ),
  );
  const { traceId, result } = await requested(() => engine.play(definition));
  expect(result.end.type).toBe('run_failed');
  const span = await nodeSpan(traceId, 'broken');
  expect(span.status).toEqual({ code: 2 });
  expect(span.attributes['error.type']).toMatch(/^[a-z_]+$/);
  expect(span.events).toEqual([]);
});

test('nodes of an untraced run are in no trace', async () => {
  const before = spans.spans().length;
  const played = await engine.play(chain(http('quiet', tools.url(randomUUID()))));
  expect(played.end.type).toBe('run_completed');
  const span = await spans.find('node tool', (found) => found.attributes['node.id'] === 'quiet');
  const known = spans.spans().slice(0, before);
  expect(known.map((other) => other.spanContext().traceId)).not.toContain(span.spanContext().traceId);
});
