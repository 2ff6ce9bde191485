/** Begins the call of a short node where the walk is. */
import { RunValues } from '../ledger/values.ts';
import type { OpenedCall } from './advance-calls.ts';
import { CallHost } from './call-host.ts';
import type { LiveCallWork } from './calls.ts';
import type { ExecuteDeps } from './deps.ts';
import { Meter } from './metering.ts';
import type { RunContext } from './run-context.ts';
import { callNode } from './run-node.ts';

/**
 * Begins a call whose attempt is recorded, or whose node may begin before that (`NodePolicy.recordAfterMs`).
 * @param context the run as its advance sees it; the call reads what is not loaded without the advance's transaction
 * @returns the call under way, which nobody follows yet
 */
export function beginCall(
  deps: ExecuteDeps,
  { segment, ready, values }: RunContext,
  { call, execution, step }: Pick<OpenedCall, 'call' | 'execution' | 'step'>,
): LiveCallWork {
  const { db } = deps;
  const host = new CallHost();
  const context = { sql: db, segment, ready, values: new RunValues(db, segment.rootRunPk, values) };
  const meter = new Meter(execution.node.type);
  const attempt = { deps, host, task: call, context, execution: { ...execution, meter } };
  return { ...callNode(attempt, step), call, host };
}
