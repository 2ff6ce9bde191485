/** The log of a delivery that fails would not lead to its run. */
import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { deliverEntry } from '../../../src/platform/outbox/delivery.ts';

test.each([
  ['start', { run_pk: 'subject' }],
  ['error_run', { run_pk: 'subject' }],
  ['schedule', { subject_id: 'subject' }],
] as const)('a failed %s names its subject as other lines do', async (kind, name) => {
  const lines: object[] = [];
  const log = createLog('warn', 'test', { write: (line) => void lines.push(JSON.parse(line)) });
  const outbox = { query: async () => [] };
  const handler = { deliver: () => Promise.reject(new Error('away')) };
  const entry = {
    kind,
    organizationId: 'organization',
    subjectId: 'subject',
    outboxId: 1,
    tries: 1,
    ageSeconds: 0,
    traceparent: null,
  };
  expect(await deliverEntry({ outbox, log }, handler, entry)).toBe(false);
  const named = lines.map((line) =>
    Object.fromEntries(Object.entries(line).filter(([, value]) => value === 'subject')),
  );
  expect(named).toEqual([name]);
});
