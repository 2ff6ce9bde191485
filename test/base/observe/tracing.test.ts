/** Spans of one request would be spread over several traces. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeTraceparent, follow, inSpan, traced } from '../../../src/base/observe/tracing.ts';
import { recordSpans, type SpanRecorder } from '../../support/spans.ts';

let recorder: SpanRecorder;
beforeAll(() => {
  recorder = recordSpans();
});
afterAll(() => recorder.stop());

const BEGUN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const plan = (name: string) => ({ name, kind: 'internal', traceparent: null, attributes: {} }) as const;

test('what is decided later links to where it began: not within one trace, not to nonsense', async () => {
  await traced({ ...plan('planned'), follows: BEGUN }, async () => follow(activeTraceparent()));
  await traced({ ...plan('unplanned'), follows: 'nonsense' }, async () => {
    for (const traceparent of [null, 'nonsense', BEGUN]) follow(traceparent);
  });
  // Nothing is active here.
  follow(BEGUN);
  const link = { traceId: BEGUN.slice(3, 35), spanId: BEGUN.slice(36, 52) };
  for (const name of ['planned', 'unplanned']) {
    const { links } = await recorder.find(name);
    expect([name, links.map(({ context }) => context)]).toEqual([name, [expect.objectContaining(link)]]);
  }
});

test('a request or message that names no trace begins one, whatever is active where it arrives', async () => {
  const ended = (name: string, kind: 'server' | 'consumer' | 'internal', traceparent: string | null): void =>
    inSpan({ ...plan(name), kind, traceparent }, (span) => span.end());
  await traced(plan('around'), async () => {
    ended('request', 'server', null);
    ended('malformed', 'consumer', 'nonsense');
    ended('part', 'internal', null);
    ended('named', 'server', BEGUN);
  });
  const around = (await recorder.find('around')).spanContext().spanId;
  const parents = ['request', 'malformed', 'part', 'named'].map(async (name) => {
    const { parentSpanContext } = await recorder.find(name);
    return parentSpanContext?.spanId;
  });
  expect(await Promise.all(parents)).toEqual([undefined, undefined, around, BEGUN.slice(36, 52)]);
});
