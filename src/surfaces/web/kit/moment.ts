/** Moments and durations as people read them. */

const FORMAT = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Formats a moment in the browser's zone, and names the zone. @param text ISO 8601, or nothing */
export const moment = (text: string | null | undefined): string =>
  text === null || text === undefined ? '' : FORMAT.format(new Date(text));

/** Names the browser's zone at a moment, for times that are shown without it. @param text ISO 8601 */
export const nameZone = (text: string): string =>
  FORMAT.formatToParts(new Date(text)).find(({ type }) => type === 'timeZoneName')?.value ?? '';

const HOUR = 3_600;
const DAY = 86_400;

type Unit = readonly [seconds: number, name: string];

/** Formats a time in a unit and the one below it: `2 d 3 h`, `2 d`. */
function formatUnits(seconds: number, [large, name]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${name}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** @param seconds of a run or a step; null while it goes on */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR) return formatUnits(whole, [60, 'min'], [1, 's']);
  if (whole < DAY) return formatUnits(whole, [HOUR, 'h'], [60, 'min']);
  return formatUnits(whole, [DAY, 'd'], [HOUR, 'h']);
}
