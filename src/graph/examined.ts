/** What the checks of a definition share: its reading, the kinds' rules and the list of problems found so far. */
import { report } from './definition.ts';
import type { Problem } from './definition.ts';
import type { KindRules } from './plan.ts';
import type { ReadDefinition } from './read.ts';

export interface Examined {
  readonly read: ReadDefinition;
  readonly kinds: KindRules;
  readonly nodeIds: ReadonlySet<string>;
  readonly problems: Problem[];
}

/** Adds a problem; an error unless said otherwise. An empty `nodeId` is left out. */
export function addProblem(
  examined: Examined,
  problem: Pick<Problem, 'code' | 'message' | 'path'> & Partial<Pick<Problem, 'severity' | 'nodeId'>>,
): void {
  const { nodeId, ...rest } = problem;
  report(examined.problems, { severity: 'error', ...rest, ...(nodeId ? { nodeId } : {}) });
}
