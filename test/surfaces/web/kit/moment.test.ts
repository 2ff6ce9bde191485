/** A time without its zone is read as another one by somebody elsewhere. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Moment from '../../../../src/surfaces/web/kit/moment.ts';

const ZONE = process.env['TZ'];
let at: typeof Moment;
beforeAll(async () => {
  process.env['TZ'] = 'Asia/Tokyo';
  vi.resetModules();
  at = await import('../../../../src/surfaces/web/kit/moment.ts');
});
afterAll(() => {
  if (ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ZONE;
  vi.resetModules();
});

test('a moment is shown in the zone of the reader, and names it', () => {
  const shown = at.moment('2026-01-31T20:07:00Z');
  expect(shown).toContain('Feb 1, 2026');
  expect(shown).toMatch(/5:07.*GMT\+9/);
  expect(at.moment(null)).toBe('');
});

test('a list of times of the day has the zone in its heading', () => {
  expect(at.nameZone('2026-01-31T20:07:00Z')).toBe('GMT+9');
});
