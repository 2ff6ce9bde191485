/**
 * The number of edits of this tab that no server has, by workflow. It stands in the storage of the tab beside the edits
 * themselves: other pages read it after the canvas was left, and also after a reload.
 */
import { keptAt, type WorkflowOwner } from '../kit/kept-state.ts';

export function keepUnsent(owner: WorkflowOwner, edits: number): void {
  const kept = keptAt('unsent', owner);
  if (edits === 0) kept.remove();
  else kept.write(String(edits));
}

export const readUnsent = (owner: WorkflowOwner): number => Number(keptAt('unsent', owner).read());
