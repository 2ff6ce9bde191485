/** The work of one attempt of a node, whatever it does: its voice, its signals, its secrets, and how it ends when it fails. */
import type { NodeCall } from '../../nodes/kind.ts';
import { Secrets } from '../../credentials/vault/secrets.ts';
import type { NodeOutcome, NodeTask } from './protocol.ts';
import { outlastTrouble } from './database-trouble.ts';
import type { EngineDeps } from './engine-deps.ts';
import { failAttempt } from './failed-attempt.ts';
import { LiveNode } from './live-node.ts';
import type { MeteredExecution } from './metering.ts';
import { buildCall } from './node-call.ts';
import { ExecutionScope, loadFor } from './run-context.ts';
import type { RunContext } from './run-context.ts';
import { harmless, withoutSecrets } from './secret-free.ts';

export interface Attempted {
  readonly task: NodeTask;
  readonly context: RunContext;
  readonly execution: MeteredExecution;
}

/** What is done in an attempt, and what its end is: written while the attempt is still alive for Temporal. */
export interface Attempt<Result, End> {
  readonly work: (call: NodeCall<unknown>, live: LiveNode) => Promise<Result> | Result;
  readonly conclude: (result: Result, scope: ExecutionScope) => Promise<End>;
  readonly failed: (outcome: NodeOutcome) => End;
}

/** @throws as failAttempt does, when the work fails */
export async function attemptNode<Result, End>(
  deps: EngineDeps,
  { task, context, execution }: Attempted,
  { work, conclude, failed }: Attempt<Result, End>,
): Promise<End> {
  const secrets = new Secrets();
  const live = new LiveNode(deps, context.segment, execution, secrets);
  try {
    const scope = new ExecutionScope(context, execution);
    let result: Result;
    try {
      await loadFor(context, execution.node);
      const call = buildCall(context, execution, scope, {
        signal: live.signal,
        tools: execution.meter.over(deps.tools.attempt(secrets)),
        emit: live,
      });
      result = withoutSecrets(await work(call, live), secrets);
      await outlastTrouble(() => live.drain());
    } catch (error) {
      await live.drain().catch(() => undefined);
      return failed(await failAttempt(deps, task, execution, live, harmless(error, secrets)));
    }
    return await conclude(result, scope);
  } finally {
    live.close();
  }
}
