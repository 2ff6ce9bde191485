/** A tool call of an agent at work: its heartbeat, the signals that end it early, and the mark that its effect is out. */
import { Context } from '@temporalio/activity';
import { markCallSent } from '../../src/journal/agent-records.ts';
import type { CallKey } from '../../src/journal/agent-records.ts';
import type { NodeEmit } from '../../src/nodes/kind.ts';
import type { HeartbeatPosition } from '../contract.ts';
import type { EngineDeps } from './engine-deps.ts';
import { SILENT } from './node-call.ts';
import type { NodeExecution } from './run-context.ts';

/** As for nodes: a second is how late a cancellation is heard. */
const HEARTBEAT_MS = 1_000;

export class LiveCall {
  readonly signal: AbortSignal;
  /** Tools say nothing live but that they send. */
  readonly emit: NodeEmit;
  readonly #timeout: AbortSignal;
  readonly #fenced = new AbortController();
  readonly #beat: NodeJS.Timeout;

  constructor(
    deps: EngineDeps,
    execution: NodeExecution,
    call: { readonly key: CallKey; readonly attempt: number; readonly timeoutMs: number },
  ) {
    const context = Context.current();
    this.#timeout = AbortSignal.timeout(call.timeoutMs);
    this.signal = AbortSignal.any([context.cancellationSignal, this.#timeout, this.#fenced.signal]);
    const mark = async (isSent: boolean): Promise<void> => {
      if (await markCallSent(deps.db, call.key, call.attempt, isSent)) return;
      this.#fenced.abort(new Error('The run has ended or another attempt has begun'));
      this.signal.throwIfAborted();
    };
    this.emit = { ...SILENT, sending: () => mark(true), notSent: () => mark(false) };
    const position: HeartbeatPosition = {
      node_id: execution.node.id,
      attempt: execution.attempt,
      seq: 0,
      tokens: 0,
    };
    context.heartbeat(position);
    this.#beat = setInterval(() => context.heartbeat(position), HEARTBEAT_MS);
  }

  get timedOut(): boolean {
    return this.#timeout.aborted;
  }
  get isFenced(): boolean {
    return this.#fenced.signal.aborted;
  }
  close(): void {
    clearInterval(this.#beat);
  }
}
