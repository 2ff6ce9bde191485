/** Pauses and resumes a running node: an agent waits for the approval of a tool call in the middle of its work. */
import { NODE, isCurrent, type Progress } from './schedule.ts';

/**
 * Marks a running execution as interrupted. When its loop has begun another visit meanwhile, it is noted as overtaken; when it has
 * ended, nothing changes.
 * @param fireAtMs expiry of its first question; null: never
 */
export function pauseNode(
  progress: Progress,
  { node, visit }: { readonly node: number; readonly visit: number },
  fireAtMs: number | null,
): void {
  if (!isCurrent(progress, node, visit)) {
    if (progress.visits[node] !== visit || progress.nodes[node] === NODE.idle)
      progress.overtaken.push({ node, visit });
    return;
  }
  progress.nodes[node] = NODE.interrupted;
  progress.timers = progress.timers.filter((timer) => timer.node !== node || timer.visit !== visit);
  if (fireAtMs !== null) progress.timers.push({ node, visit, fireAtMs });
}

/** Resumes an interrupted execution. @returns false when it is not interrupted or no longer current */
export function resumeNode(progress: Progress, node: number, visit: number): boolean {
  if (progress.nodes[node] !== NODE.interrupted || !isCurrent(progress, node, visit)) return false;
  progress.nodes[node] = NODE.running;
  progress.timers = progress.timers.filter((timer) => timer.node !== node || timer.visit !== visit);
  return true;
}
