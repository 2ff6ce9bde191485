/** The calls of short nodes in one advance: their attempts are opened with it, and what they came to ends their nodes. */
import { isCurrent } from '../../graph/schedule.ts';
import type { NodeError } from '../../nodes/kind.ts';
import { lockStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import type { AdvanceWalk, Settled } from './advance-walk.ts';
import { nextAttempt, openAttempt, spentAttempts } from './attempts.ts';
import type { LiveCallWork } from './calls.ts';
import { concludeFailure } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { beginStep, concludeStep } from './fold.ts';
import { nodeEvent } from './frames.ts';
import { decideStep, type Decide } from './node-end.ts';
import type { OpenCall } from './protocol.ts';
import { ExecutionScope, loadFor, loadForEnd } from './run-context.ts';
import type { NodeExecution } from './run-context.ts';

/** A call whose attempt this advance opens; it begins once that is committed. */
export interface OpenedCall {
  readonly call: OpenCall;
  readonly execution: NodeExecution;
  readonly step: StepRow;
}

/** What a call of a short node came to. */
export interface EndedCall {
  readonly work: LiveCallWork;
  readonly end:
    | { readonly kind: 'worked'; readonly decide: Decide }
    | { readonly kind: 'failed'; readonly error: NodeError };
}

export class AdvanceCalls {
  readonly opened: OpenedCall[] = [];
  /** Calls that have failed, and whose next attempt waits. */
  readonly retries: OpenCall[] = [];
  readonly #walk: AdvanceWalk;

  constructor(walk: AdvanceWalk) {
    this.#walk = walk;
  }

  /** Takes over a call that another process had under way: its record decides what becomes of it. */
  async takeOver(call: OpenCall): Promise<void> {
    const taken = await openAttempt(this.#walk.context, call);
    if (taken.kind === 'gone') return;
    if (taken.kind === 'settled') {
      // Its output is counted where it was written.
      this.#settle(call, { outcome: taken.outcome, outputBytes: 0 });
      return;
    }
    const { execution, step } = taken;
    if (taken.kind === 'open') {
      this.opened.push({ call: { ...call, attempt: execution.attempt }, execution, step });
      return;
    }
    await loadFor(this.#walk.context, execution.node);
    const scope = new ExecutionScope(this.#walk.context, execution);
    this.#failCall(call, step, concludeFailure(scope, taken.error, spentAttempts(step) + 1));
  }

  /** Ends the node of a call that has come back, or notes when its next attempt is made. */
  async conclude({ work: { attempt, step: opened, call }, end }: EndedCall): Promise<void> {
    const context = this.#walk.context;
    const { execution } = attempt;
    await loadForEnd(context, execution.node);
    const credits = await execution.meter.record(context.sql, context.segment, execution);
    const scope = new ExecutionScope(context, execution);
    if (end.kind === 'failed') {
      // Whether it was sent stands in its row.
      const step = await lockStep(context.sql, call);
      if (step === null) throw new Error(`The step of node ${call.nodeId} is gone`);
      const next = nextAttempt(step, execution, end.error);
      if (next === null)
        return this.#failCall(call, step, concludeFailure(scope, end.error, spentAttempts(step) + 1));
      this.#walk.writes.step(step);
      this.#walk.writes.event(next.told);
      this.retries.push({ ...call, retryInMs: next.delayMs });
      return;
    }
    // A copy: what is written may have to be written again.
    const step = { ...opened, attempts: opened.attempts.map((one) => ({ ...one })) };
    const conclusion = await decideStep(scope, step, () => end.decide(scope, step, credits));
    this.#endCall(call, step, conclusion);
  }

  #failCall(call: OpenCall, step: StepRow, conclusion: Conclusion): void {
    concludeStep(step, conclusion);
    this.#endCall(call, step, conclusion);
  }

  #endCall(call: OpenCall, step: StepRow, conclusion: Conclusion): void {
    this.#walk.writes.step(step);
    this.#walk.writes.event(...conclusion.events);
    this.#settle(call, conclusion);
  }

  #settle({ node, visit }: OpenCall, end: Settled): void {
    // The end of what the graph no longer waits for, because its loop came round, stops nothing.
    if (isCurrent(this.#walk.progress, node, visit)) this.#walk.settle(node, visit, end);
  }

  /** Opens the first attempt of a short node. */
  open(index: number, execution: NodeExecution): void {
    const { organizationId, rootRunPk, runPk } = this.#walk.context.segment;
    const step = beginStep(this.#walk.context, execution);
    this.#walk.writes.step(step);
    this.#walk.writes.event(nodeEvent('node_started', execution));
    const { node, visit, depth, position, iteration, stepId, attempt } = execution;
    const loop = this.#walk.graph.nodes[index]?.readsLoop === true ? execution.loop : {};
    const task = {
      organizationId,
      rootRunPk,
      runPk,
      nodeId: node.id,
      visit,
      depth,
      position,
      itemIndex: -1,
      iteration,
      loop,
    };
    this.opened.push({ call: { ...task, node: index, stepId, attempt, retryInMs: null }, execution, step });
  }
}
