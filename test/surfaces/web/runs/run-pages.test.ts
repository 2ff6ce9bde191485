/** The list of runs and its address: if this failed, a link of a colleague would show other runs. */
import { expect, test } from 'vitest';
import { parseRunSearch, toRunQuery } from '../../../../src/surfaces/web/runs/run-search.ts';
import { parseEffectSearch, toEffectQuery } from '../../../../src/surfaces/web/effects/effect-search.ts';
import { runInBulk, type BulkProgress } from '../../../../src/surfaces/web/runs/bulk.ts';
import { formatRelative } from '../../../../src/surfaces/web/kit/format-relative.ts';

test('an address keeps the filters that the API knows, and loses the others', () => {
  const workflow = '5cac6e94-70e5-49a5-b53b-8cb9d539e578';
  expect(parseRunSearch({ workflow, status: 'failed', trigger: 'chat', q: 42, period: 'day', x: 1 })).toEqual(
    {
      workflow,
      status: 'failed',
      trigger: 'chat',
      q: '42',
      period: 'day',
    },
  );
  expect(parseRunSearch({ workflow: 'mine', status: 'done', by: 7, q: ' ', from: 'now' })).toEqual({});
  expect(toRunQuery({ period: 'day', q: 'refund' }, Date.parse('2026-01-02T00:00:00Z'))).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    q: 'refund',
  });
});

test('the ledger of effects shows a week, all of one run, a period, or the time between two moments', () => {
  const now = Date.parse('2026-01-09T00:00:00Z');
  const run = '5cac6e94-70e5-49a5-b53b-8cb9d539e578';
  const query = (address: Record<string, unknown>) => toEffectQuery(parseEffectSearch(address), now);
  expect(query({})).toEqual({ from: '2026-01-02T00:00:00.000Z' });
  expect(query({ run })).toEqual({ run_pk: run });
  expect(query({ run, period: 'day' })).toEqual({ run_pk: run, from: '2026-01-08T00:00:00.000Z' });
  expect(query({ period: 'all', host: ' Mail.example ' })).toEqual({ host: 'mail.example' });
  const from = '2025-12-01T10:00';
  expect(query({ from })).toEqual({ from: new Date(from).toISOString() });
  expect(query({ from, to: '2025-12-02T10:00' })).toEqual({
    from: new Date(from).toISOString(),
    to: new Date('2025-12-02T10:00').toISOString(),
  });
  expect(parseEffectSearch({ period: 'week', from, door: 'window', host: '' })).toEqual({});
});

test('many runs are worked on a few at a time, and a failure stops nothing', async () => {
  let running = 0;
  let most = 0;
  const seen: BulkProgress<number>[] = [];
  await runInBulk(
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      if (item === 5) throw new Error('refused');
    },
    (progress) => seen.push(progress),
  );
  expect(most).toBe(4);
  expect(seen.map(({ done }) => done)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(seen.at(-1)?.failures).toMatchObject([{ item: 5, error: { message: 'refused' } }]);
});

test('a moment is told as the time since it, and as a date after a week', () => {
  const now = Date.parse('2026-01-20T12:00:00Z');
  expect(formatRelative('2026-01-20T11:59:30Z', now)).toBe('just now');
  expect(formatRelative('2026-01-20T11:55:00Z', now)).toBe('5 minutes ago');
  expect(formatRelative('2026-01-20T09:30:00Z', now)).toBe('2 hours ago');
  expect(formatRelative('2026-01-19T11:00:00Z', now)).toBe('yesterday');
  expect(formatRelative('2026-01-01T12:00:00Z', now)).toMatch(/2026.*(?:UTC|GMT|[A-Z]{3,4})/);
});
