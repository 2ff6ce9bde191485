/** Nodes that stop in the middle of their work to ask, and go on with it: an agent whose tool call waits for a person. */
import { NODE, isCurrent, type Progress } from './schedule.ts';

/**
 * A running execution waits for answers. One that the graph no longer waits for changes nothing.
 * @param fireAtMs when the first of its questions expires; null: never
 */
export function pause(
  progress: Progress,
  { node, visit }: { readonly node: number; readonly visit: number },
  fireAtMs: number | null,
): void {
  if (!isCurrent(progress, node, visit)) return;
  progress.nodes[node] = NODE.asked;
  progress.timers = progress.timers.filter((timer) => timer.node !== node || timer.visit !== visit);
  if (fireAtMs !== null) progress.timers.push({ node, visit, fireAtMs });
}

/** A paused execution goes on. @returns false when it was not paused: it goes on already, or nobody waits for it */
export function resume(progress: Progress, node: number, visit: number): boolean {
  if (progress.nodes[node] !== NODE.asked || !isCurrent(progress, node, visit)) return false;
  progress.nodes[node] = NODE.running;
  progress.timers = progress.timers.filter((timer) => timer.node !== node || timer.visit !== visit);
  return true;
}
