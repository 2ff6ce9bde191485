/** A wait or a schedule would end at a wrong time, or accept a text that is no date. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIsoMoment } from '../../../src/language/graph/values/iso8601.ts';

test.each([
  ['2030-02-01', '2030-02-01T00:00:00.000Z'],
  ['20300201', '2030-02-01T00:00:00.000Z'],
  ['2030-W01-1', '2029-12-31T00:00:00.000Z'],
  ['2030W017', '2030-01-06T00:00:00.000Z'],
  ['2026-W53-7', '2027-01-03T00:00:00.000Z'],
  ['2030-032', '2030-02-01T00:00:00.000Z'],
  ['2028-366', '2028-12-31T00:00:00.000Z'],
  ['2030032T12', '2030-02-01T12:00:00.000Z'],
  ['2030-02-01T12:30', '2030-02-01T12:30:00.000Z'],
  ['2030-02-01T12:30Z', '2030-02-01T12:30:00.000Z'],
  ['2030-02-01T12:30:15', '2030-02-01T12:30:15.000Z'],
  ['2030-02-01t12:30:15z', '2030-02-01T12:30:15.000Z'],
  ['2030-02-01T12:30:15.123456Z', '2030-02-01T12:30:15.123Z'],
  ['2030-02-01T12:30:15,5Z', '2030-02-01T12:30:15.500Z'],
  ['2030-02-01T12:30:15+05:30', '2030-02-01T07:00:15.000Z'],
  ['2030-02-01T12:30:15-0800', '2030-02-01T20:30:15.000Z'],
  ['2030-02-01T12:30+05', '2030-02-01T07:30:00.000Z'],
  ['20300201T123015Z', '2030-02-01T12:30:15.000Z'],
  ['20300201T1230+0530', '2030-02-01T07:00:00.000Z'],
  ['2030-02-01T24:00', '2030-02-02T00:00:00.000Z'],
  ['0050-01-01', '0050-01-01T00:00:00.000Z'],
])('%s is %s', (text, moment) => {
  expect(new Date(readIsoMoment(text) ?? NaN).toISOString()).toBe(moment);
});

test.each([
  '',
  'yesterday',
  '2030',
  '2030-02',
  '12:00:00Z',
  '2030-02-30',
  '2030-13-01',
  '2030-00-01',
  '2027-366',
  '2030-000',
  '2030-W53-1',
  '2030-W00-1',
  '2030-W01-8',
  '2030-0201',
  '2030-02-01T1230',
  '2030-02-01T25:00',
  '2030-02-01T24:01',
  '2030-02-01T12:60',
  '2030-02-01T12:00:60Z',
  '2030-02-01T12:00+24:00',
  '2030-02-01T12:00 Z',
  '2030-02-01 12:00',
  '2030-02-01T',
  '2030-02-01Z',
  '+300000-01-01T00:00:00Z',
  '1893456000',
  '２０３０-02-01',
  '2030-02-01\n',
])('%j is none', (text) => {
  expect(readIsoMoment(text)).toBeNull();
});

test('every day of the calendar is read as it is written, and no other', () => {
  const part = (number: number): string => String(number).padStart(2, '0');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), fc.nat(13), fc.nat(32), (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${part(month)}-${part(day)}`;
      const at = new Date(`${text}T00:00:00.000Z`);
      // The engine's reader takes the last days of a short month for the first of the next.
      const isDay = !Number.isNaN(at.getTime()) && at.getUTCDate() === day;
      expect(readIsoMoment(text)).toBe(isDay ? at.getTime() : null);
    }),
    { numRuns: 2_000 },
  );
});
