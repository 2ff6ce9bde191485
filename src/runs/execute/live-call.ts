/** A tool call of an agent at work, and the mark that its effect is out. */
import { markCallSent } from '../ledger/agent-records.ts';
import type { CallKey } from '../ledger/agent-records.ts';
import type { NodeEmit } from '../../nodes/kind.ts';
import type { Segment } from '../ledger/segments.ts';
import type { EngineDeps } from './engine-deps.ts';
import { LiveWork } from './live-work.ts';
import { SILENT } from './node-call.ts';
import type { NodeExecution } from './run-context.ts';

export class LiveCall extends LiveWork {
  /** Tools say nothing live but that they send. */
  readonly emit: NodeEmit;

  constructor(
    deps: EngineDeps,
    segment: Segment,
    { node, attempt }: NodeExecution,
    call: { readonly key: CallKey; readonly attempt: number; readonly timeoutMs: number },
  ) {
    super(deps, {
      rootRunPk: segment.rootRunPk,
      timeoutMs: call.timeoutMs,
      position: () => ({ node_id: node.id, attempt, seq: 0, tokens: 0 }),
    });
    const mark = async (isSent: boolean): Promise<void> => {
      if (await markCallSent(deps.db, call.key, call.attempt, isSent)) return;
      this.fence();
      this.signal.throwIfAborted();
    };
    this.emit = { ...SILENT, sending: () => mark(true), notSent: () => mark(false) };
  }
}
