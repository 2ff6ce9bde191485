/** A moment for people whose zone is not known. */

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const TIME = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Formats a moment as `28 November 2026, 14:05 UTC`: a link is read by people of whom only the address is known. */
export const formatDeadline = (at: Date): string => `${DATE.format(at)}, ${TIME.format(at)} UTC`;
