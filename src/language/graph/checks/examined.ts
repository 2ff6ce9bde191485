/** The context of the check-*.ts files: the read definition, the rules of kinds, and the problems found so far. */
import { report } from '../definition/definition.ts';
import type { Problem } from '../definition/definition.ts';
import type { KindRules } from '../schedule/plan.ts';
import type { ReadDefinition } from '../definition/read.ts';

export interface CheckContext {
  readonly read: ReadDefinition;
  readonly kinds: KindRules;
  readonly nodeIds: ReadonlySet<string>;
  readonly problems: Problem[];
}

/** Adds a problem, by default an error. Leaves out an empty `nodeId`. */
export function addProblem(
  examined: CheckContext,
  problem: Pick<Problem, 'code' | 'message' | 'path'> & Partial<Pick<Problem, 'severity' | 'nodeId'>>,
): void {
  const { nodeId, ...rest } = problem;
  report(examined.problems, { severity: 'error', ...rest, ...(nodeId ? { nodeId } : {}) });
}
