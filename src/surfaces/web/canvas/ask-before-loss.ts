/** Asks before a tab is closed that has unsent edits of any workflow; small, because the first page loads it. */
export const UNSENT = 'unsent:';

export function askBeforeLoss(event: BeforeUnloadEvent): void {
  if (Object.keys(sessionStorage).some((key) => key.startsWith(UNSENT))) event.preventDefault();
}
