import { expect, test } from 'vitest';
import { CronError, parseCron } from '../../src/schedules/cron.ts';
import { nextTime, zoneName } from '../../src/schedules/next-time.ts';

const next = (expression: string, timezone: string, after: string): string | null =>
  nextTime(parseCron(expression), timezone, new Date(after))?.toISOString() ?? null;

test.each([
  ['0 6 * * 1-5', 'Europe/Istanbul', '2026-11-21T00:00:00Z', '2026-11-23T03:00:00.000Z'],
  ['0 6 * * 1-5', 'UTC', '2026-11-20T06:00:00Z', '2026-11-23T06:00:00.000Z'],
  ['*/15 * * * *', 'UTC', '2026-11-20T06:44:59.999Z', '2026-11-20T06:45:00.000Z'],
  ['5/20 * * * *', 'UTC', '2026-11-20T06:26:00Z', '2026-11-20T06:45:00.000Z'],
  ['59 23 31 12 *', 'Pacific/Kiritimati', '2026-01-01T00:00:00Z', '2026-12-31T09:59:00.000Z'],
  ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 29 FEB MON', 'UTC', '2026-01-01T00:00:00Z', '2044-02-29T00:00:00.000Z'],
  ['0 12 13 * fri', 'UTC', '2026-11-14T00:00:00Z', '2027-08-13T12:00:00.000Z'],
  ['0 0 * * 7', 'UTC', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00.000Z'],
  ['0 0 31 4 *', 'UTC', '2026-11-21T00:00:00Z', null],
])('%s in %s after %s is due at %s', (expression, timezone, after, due) => {
  expect(next(expression, timezone, after)).toBe(due);
});

test('a local time that the clocks skip is not due that day', () => {
  // New York, 8 March 2026: 02:00 is followed by 03:00.
  expect(next('30 2 * * *', 'America/New_York', '2026-03-08T00:00:00Z')).toBe('2026-03-09T06:30:00.000Z');
  expect(next('30 3 * * *', 'America/New_York', '2026-03-08T00:00:00Z')).toBe('2026-03-08T07:30:00.000Z');
});

test('a local time that the clocks repeat is due twice', () => {
  // New York, 1 November 2026: 01:59 is followed by 01:00.
  const first = next('30 1 * * *', 'America/New_York', '2026-11-01T00:00:00Z');
  expect(first).toBe('2026-11-01T05:30:00.000Z');
  expect(next('30 1 * * *', 'America/New_York', first ?? '')).toBe('2026-11-01T06:30:00.000Z');
  expect(next('30 1 * * *', 'America/New_York', '2026-11-01T06:30:00Z')).toBe('2026-11-02T06:30:00.000Z');
});

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '@daily',
  '@every 10s',
  'CRON_TZ=UTC * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '5-1 * * * *',
  '1-2-3 * * * *',
  '*/5/5 * * * *',
  '-1 * * * *',
  '+5 * * * *',
  '1.5 * * * *',
  '? * * * *',
  '* * L * *',
  '* * * * MON#2',
  ',1 * * * *',
  'mon * * * *',
])('%j is no expression', (expression) => {
  expect(() => parseCron(expression)).toThrow(CronError);
});

test('zones are known by name, in the spelling of the database', () => {
  expect(['europe/istanbul', 'utc', 'America/Argentina/Buenos_Aires'].map(zoneName)).toEqual([
    'Europe/Istanbul',
    'UTC',
    expect.stringMatching(/Buenos_Aires$/),
  ]);
  expect(['', 'Mars/Olympus', '+03:00', 'UTC ', '__proto__', `A${'a'.repeat(200)}`].map(zoneName)).toEqual(
    Array(6).fill(null),
  );
});
