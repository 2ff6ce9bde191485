/** A schedule would fire at a wrong local time, above all on the days when clocks change. */
import { expect, test } from 'vitest';
import { CronError, parseCron } from '../../../src/language/cron/cron.ts';
import {
  listClockChanges,
  toEngineZone,
  findLastTime,
  listTimesAfter,
  findNextTime,
  findZoneName,
} from '../../../src/language/cron/next-time.ts';

const next = (expression: string, timezone: string, after: string): string | null =>
  findNextTime(parseCron(expression), timezone, new Date(after))?.toISOString() ?? null;

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

test('the last time of a span is the newest up to its end, which belongs to it, as its beginning does not', () => {
  const last = (after: string, until: string): string | null =>
    findLastTime(parseCron('0 * * * *'), 'UTC', {
      after: new Date(after),
      until: new Date(until),
    })?.toISOString() ?? null;
  expect(last('2026-11-20T06:00:00Z', '2026-11-20T09:00:00Z')).toBe('2026-11-20T09:00:00.000Z');
  expect(last('2026-11-20T06:00:00Z', '2026-11-20T08:59:59.999Z')).toBe('2026-11-20T08:00:00.000Z');
  expect(last('2026-11-20T06:00:00Z', '2026-11-20T06:59:59.999Z')).toBeNull();
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

/** What the clock shows at the next firings, and what a change of the clocks has made of them. */
const firings = (expression: string, timezone: string, after: string, count: number): string[] => {
  const found: string[] = [];
  for (const { at, clock, change } of listTimesAfter(parseCron(expression), timezone, new Date(after))) {
    found.push(`${new Date(clock).toISOString().slice(5, 16)} ${at?.toISOString().slice(5, 16)} ${change}`);
    if (found.length === count) return found;
  }
  return found;
};

test('a time that the clocks skip stands among the others, and does not fire', () => {
  expect(firings('0,30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 4)).toEqual([
    '03-28T02:00 undefined skipped',
    '03-28T02:30 undefined skipped',
    '03-29T02:00 03-29T00:00 null',
    '03-29T02:30 03-29T00:30 null',
  ]);
});

test('a time that the clocks repeat is listed twice, in the order of time', () => {
  expect(firings('0,30 2,3 * * *', 'Europe/Berlin', '2027-10-30T22:00:00Z', 6)).toEqual([
    '10-31T02:00 10-31T00:00 repeated',
    '10-31T02:30 10-31T00:30 repeated',
    '10-31T02:00 10-31T01:00 repeated',
    '10-31T02:30 10-31T01:30 repeated',
    '10-31T03:00 10-31T02:00 null',
    '10-31T03:30 10-31T02:30 null',
  ]);
});

test.each([
  // Half an hour, at two in the morning.
  [
    '45 1 * * *',
    'Australia/Lord_Howe',
    '2027-01-01T00:00:00Z',
    ['04-04T01:45 repeated', '04-04T01:45 repeated'],
  ],
  // A day that was left out.
  ['0 12 * * *', 'Pacific/Apia', '2011-12-20T00:00:00Z', ['12-30T12:00 skipped']],
  // At midnight.
  ['30 0 * * *', 'America/Santiago', '2027-07-01T00:00:00Z', ['09-05T00:30 skipped']],
  [
    '30 23 * * *',
    'America/Santiago',
    '2027-01-01T00:00:00Z',
    ['04-03T23:30 repeated', '04-03T23:30 repeated'],
  ],
  ['0 12 * * *', 'Europe/Berlin', '2027-01-01T00:00:00Z', []],
  ['30 2 * * *', 'Asia/Kolkata', '2027-01-01T00:00:00Z', []],
])('%s in %s after %s: the clocks change %j', (expression, timezone, after, expected) => {
  const found = listClockChanges(parseCron(expression), timezone, { after: new Date(after), days: 200 });
  expect(
    [...found].map(({ clock, change }) => `${new Date(clock).toISOString().slice(5, 16)} ${change}`),
  ).toEqual(expected);
});

test('changes are looked for as many days ahead as are asked for', () => {
  const within = (days: number): number =>
    [
      ...listClockChanges(parseCron('30 2 * * *'), 'Europe/Berlin', {
        after: new Date('2027-03-26T12:00:00Z'),
        days,
      }),
    ].length;
  expect([within(1), within(2), within(365)]).toEqual([0, 1, 3]);
});

test('the names of zones stay as they were written; letters of another case are put right', () => {
  const written = ['Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'Europe/Kiev', 'US/Pacific', 'Etc/UTC'];
  expect(written.map(findZoneName)).toEqual(written);
  expect(['europe/istanbul', 'utc', 'America/Argentina/Buenos_Aires'].map(findZoneName)).toEqual([
    'Europe/Istanbul',
    'UTC',
    'America/Argentina/Buenos_Aires',
  ]);
  expect(
    ['', 'Mars/Olympus', '+03:00', 'UTC ', '__proto__', `A${'a'.repeat(200)}`].map(findZoneName),
  ).toEqual(Array(6).fill(null));
});

test('Temporal gets the name that its database has', () => {
  const canonical = toEngineZone('Asia/Kolkata');
  expect([toEngineZone('asia/kolkata'), toEngineZone('Asia/Calcutta')]).toEqual([canonical, canonical]);
  expect(toEngineZone('asia/kolkata')).toMatch(/^Asia\/(Kolkata|Calcutta)$/);
});
