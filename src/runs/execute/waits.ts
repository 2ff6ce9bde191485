/** The end of a wait: its output was kept in its step when it began. */
import type { StepRow } from '../ledger/steps.ts';
import { asNodeError, concludeFailure, concludeSuccess } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { successOf } from './fold.ts';
import { ExecutionScope } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

/** What a wait whose time has come means for its node. Reads `context.values` (its roots must be loaded). Never throws. */
export function concludeWait(context: RunContext, execution: NodeExecution, step: StepRow): Conclusion {
  const scope = new ExecutionScope(context, execution);
  try {
    const success = successOf({ outcome: 'completed', output: step.output });
    const tookMs = Date.now() - Date.parse(step.started_at);
    return concludeSuccess(context, execution, scope, success, tookMs);
  } catch (error) {
    return concludeFailure(context, execution, scope, asNodeError(error), 1);
  }
}
