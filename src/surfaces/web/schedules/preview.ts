/** Reads a cron expression as the service does: in words, with its next times, or with the reason why it is none. */
import { systemClock } from '../../../base/clock.ts';
import { CronError, parseCron } from '../../../language/cron/cron.ts';
import { findZoneName, listTimesAfter } from '../../../language/cron/next-time.ts';
import { describeCron } from './describe-cron.ts';

export type CronPreview =
  | { readonly kind: 'valid'; readonly text: string; readonly times: readonly Date[] }
  | { readonly kind: 'invalid'; readonly problem: string };

/** @param zone an IANA name; unknown ones show no times */
export function previewCron(expression: string, zone: string, count: number): CronPreview {
  try {
    const cron = parseCron(expression);
    const times: Date[] = [];
    const known = findZoneName(zone);
    if (known !== null)
      for (const { at } of listTimesAfter(cron, known, new Date(systemClock.now()))) {
        if (at !== null) times.push(at);
        if (times.length === count) break;
      }
    return { kind: 'valid', text: describeCron(cron), times };
  } catch (error) {
    if (error instanceof CronError) return { kind: 'invalid', problem: error.message };
    throw error;
  }
}
