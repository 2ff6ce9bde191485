/** Asks before a tab is closed that has unsent edits of any workflow; small, because the first page loads it. */
import { hasKept } from '../kit/kept-state.ts';

export function askBeforeLoss(event: BeforeUnloadEvent): void {
  if (hasKept('unsent')) event.preventDefault();
}
