/** The documents of an upload that meet a limit of their model, or an outage, would come back in one moment, and meet it again. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { NodeError } from '../../src/language/nodes/kind.ts';
import { createIngestActivities } from '../../temporal/activities/ingest.ts';

const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const limited = (retryAfterMs: number | null): NodeError =>
  new NodeError('rate_limited', 'Too many requests', { retryable: true, retryAfterMs });

/** @returns the waits of a hundred documents whose attempt with this number has met the error, in ms */
function waitsOf(error: Error, attempt: number): Promise<number[]> {
  const activities = createIngestActivities({
    db: { transaction: () => Promise.reject(error) } as never,
    clock: systemClock,
    extractor: {} as never,
    log: pino({ level: 'silent' }),
    embedding: () => ({ createEmbedder: {} as never, redact: (thrown) => thrown }),
  });
  const worker = new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });
  const ids = Array.from({ length: 100 }, (_, at) => `document ${at}`);
  const waits = ids.map(async (documentId) => {
    const document = { organizationId: 'o', documentId, attempt: 1 };
    const failure = await worker
      .run(() => activities.extractDocument(document))
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ nonRetryable: false });
    return Number((failure as { nextRetryDelay: unknown }).nextRetryDelay);
  });
  return Promise.all(waits);
}

test.each([
  ['an outage', away, 1, [750, 1_500]],
  ['an outage that lasts', away, 12, [45_000, 90_000]],
  ['an error that nobody foresaw', new Error('a defect'), 3, [3_000, 6_000]],
  ['a limit', limited(null), 2, [1_500, 3_000]],
  ['a limit that names its end', limited(20_000), 2, [20_000, 21_500]],
] as const)('documents that meet %s together come back apart', async (_, error, attempt, [from, to]) => {
  const waits = await waitsOf(error, attempt);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(from);
  expect(Math.max(...waits)).toBeLessThanOrEqual(to);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan((to - from) / 2);
  expect(new Set(waits).size).toBeGreaterThan(70);
});
