/**
 * The number of edits of this tab that no server has, by workflow. It stands in the storage of the tab beside the edits
 * themselves: other pages read it after the canvas was left, and also after a reload.
 */
import { UNSENT } from './ask-before-loss.ts';

export function keepUnsent(workflowId: string, edits: number): void {
  if (edits === 0) sessionStorage.removeItem(UNSENT + workflowId);
  else sessionStorage.setItem(UNSENT + workflowId, String(edits));
}

export const readUnsent = (workflowId: string): number => Number(sessionStorage.getItem(UNSENT + workflowId));
