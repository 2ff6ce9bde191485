/** Moments as the time since them. */
import { words } from '../words.ts';
import { moment } from './moment.ts';

const FORMAT = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats the distance of a moment from now: `5 minutes ago`, `yesterday`; a date after a week. */
export function formatRelative(at: string, nowMs: number): string {
  const past = nowMs - Date.parse(at);
  if (past < 60_000) return words.justNow;
  if (past >= 7 * 86_400_000) return moment(at);
  const [unit, ms] = UNITS.find(([, length]) => past >= length) ?? UNITS[2];
  return FORMAT.format(-Math.floor(past / ms), unit);
}
