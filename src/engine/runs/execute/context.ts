/** The context of one run: what its walk reads, and the transaction in which it is recorded. */
import type { Clock } from '../../../base/clock.ts';
import type { Tx } from '../../../base/db/client.ts';
import type { RunRef } from '../engine.ts';
import type { BudgetScopes } from '../ledger/read/organization-rules.ts';
import type { ValueShare } from '../ledger/read/value-share.ts';
import { RunValues } from '../ledger/read/values.ts';
import { readCurrentSegment, type Segment } from '../ledger/write/segments.ts';
import type { ExecutionScope, WalkContext } from '../walk/context.ts';
import type { ExecuteDeps, ExecuteTools } from './deps.ts';
import type { KeptRules } from './kept-rules.ts';
import type { Plans } from './plans.ts';

interface RunDeps {
  readonly plans: Plans;
  readonly rules: KeptRules;
  readonly clock: Clock;
  readonly tools: Pick<ExecuteTools, 'callbackUrl'>;
  /** Counts the values that are loaded; without one, none are. */
  readonly share?: ValueShare | null;
}

export interface RunContext extends WalkContext {
  readonly sql: Tx;
  readonly segment: Segment;
  readonly values: RunValues;
  /** The organization and its workflows, where they have a budget. */
  readonly budgetScopes: BudgetScopes;
}

/** The scope of an execution whose end is recorded. */
export type RunScope = ExecutionScope<RunContext>;

/** Reads the newest segment of a run; null when there is no such run. */
export async function readRun(deps: RunDeps & { readonly db: Tx }, run: RunRef): Promise<RunContext | null> {
  const segment = await readCurrentSegment(deps.db, run, false);
  return segment === null ? null : createContext(deps.db, deps, segment);
}

/**
 * Runs `work` in a transaction that has locked the newest segment of a run. Hundreds of branches of one run may want its lock
 * together; few of them hold a connection while they wait. `work` must not lock a run in this way again.
 * @param work gets the run and the transaction as its `sql`; null when there is no such run
 */
export function withLockedRun<Result>(
  deps: Pick<ExecuteDeps, 'db' | 'lockQueue'> & RunDeps,
  run: RunRef,
  work: (context: RunContext | null) => Promise<Result>,
): Promise<Result> {
  return deps.lockQueue.run(run.rootRunPk, () =>
    deps.db.transaction(async (tx) => {
      const segment = await readCurrentSegment(tx, run, true);
      return work(segment === null ? null : await createContext(tx, deps, segment));
    }),
  );
}

/** Tells whether a task belongs to the running segment; otherwise its run has ended or continued without it. */
export const belongsToRunningSegment = (
  { segment }: Pick<RunContext, 'segment'>,
  { runPk }: { readonly runPk: string },
): boolean => segment.status === 'running' && segment.runPk === runPk;

/** Creates the context of a segment that was read already. */
export async function createContext(
  sql: Tx,
  { plans, rules, clock, tools, share = null }: RunDeps,
  segment: Segment,
): Promise<RunContext> {
  const ready = await plans.get(sql, segment);
  plans.rememberSegment(segment);
  const redaction = plans.getRedaction(segment);
  const values = new RunValues(sql, segment.rootRunPk, { redaction, share });
  const { effectRules, budgetScopes } = await rules.get(sql, segment.organizationId);
  return {
    sql,
    clock,
    segment,
    ready,
    values,
    redaction,
    effectRules,
    budgetScopes,
    callbackUrl: tools.callbackUrl,
  };
}
