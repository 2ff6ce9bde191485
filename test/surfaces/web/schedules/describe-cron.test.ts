/** The form of a schedule would describe other times than those at which the schedule fires. */
import { expect, test } from 'vitest';
import { parseCron } from '../../../../src/language/cron/cron.ts';
import { describeCron } from '../../../../src/surfaces/web/schedules/describe-cron.ts';
import { previewCron } from '../../../../src/surfaces/web/schedules/preview.ts';

test.each([
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['5 * * * *', 'Every hour at minute 05'],
  ['0 */2 * * *', 'Every 2 hours'],
  ['30 9 * * *', 'Every day at 09:30'],
  ['0 9,17 * * 1-5', 'At 09:00 and 17:00, Monday to Friday'],
  ['0 9 * * 0,6', 'At 09:00, on weekends'],
  ['0 9 * * mon,wed', 'At 09:00, on Mondays and Wednesdays'],
  ['0 0 1 * *', 'At 00:00, on the 1st'],
  ['0 0 2,23 1 *', 'At 00:00, on the 2nd and 23rd, in January'],
  ['0 12 13 * 5', 'At 12:00, on the 13th, on Fridays'],
  ['*/10 8-17 * * *', 'Every 10 minutes in the hours 08, 09, 10, 11, 12, 13, 14, 15, 16, and 17'],
])('%s is “%s”', (expression, text) => {
  expect(describeCron(parseCron(expression))).toBe(text);
});

test('a preview has the next times, or the reason why there are none', () => {
  const valid = previewCron('0 9 * * *', 'Europe/Berlin', 5);
  expect(valid.kind === 'valid' && valid.times.length).toBe(5);
  expect(previewCron('0 9 * * *', 'Nowhere/Else', 5)).toMatchObject({ kind: 'valid', times: [] });
  expect(previewCron('0 9', 'UTC', 5)).toMatchObject({
    kind: 'invalid',
    problem: expect.stringContaining('five fields'),
  });
});
