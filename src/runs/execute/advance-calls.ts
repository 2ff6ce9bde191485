/**
 * The calls of short nodes in one advance: their attempts are opened with it, and what they came to ends their nodes. Brief
 * ones, which send nothing out, begin and end in one advance, as pure nodes do.
 */
import type { NodeError } from '../../nodes/kind.ts';
import { copyOfStep, lockStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import type { AdvanceMaps } from './advance-maps.ts';
import type { AdvanceWalk } from './advance-walk.ts';
import { nextAttempt, openAttempt, spentAttempts } from './attempts.ts';
import { endOfCall } from './call-ends.ts';
import { Returns } from './calls.ts';
import type { LiveCallWork } from './calls.ts';
import { concludeFailure } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { beginStep, concludeStep } from './fold.ts';
import { nodeEvent } from './frames.ts';
import { decideStep, type Decide } from './node-end.ts';
import type { OpenCall } from './protocol.ts';
import { ExecutionScope, loadFor } from './run-context.ts';
import type { NodeExecution } from './run-context.ts';

/** A call whose attempt this advance opens. */
export interface OpenedCall {
  readonly call: OpenCall;
  readonly execution: NodeExecution;
  readonly step: StepRow;
  /** Null: it begins once its attempt is committed. */
  readonly work: LiveCallWork | null;
}

/** Begins a call whose attempt is not committed: it is given up when the advance is not. */
export type BeginEarly = (opened: OpenedCall) => LiveCallWork;

/** What a call of a short node came to. */
export interface EndedCall {
  readonly work: LiveCallWork;
  readonly end:
    | { readonly kind: 'worked'; readonly decide: Decide }
    | { readonly kind: 'failed'; readonly error: NodeError };
}

/** What the calls of an advance are made with. */
interface CallsOf {
  /** Items are calls, too: of the maps here. */
  readonly maps: AdvanceMaps;
  readonly begin: BeginEarly;
  /** Brief calls may end in this advance. */
  readonly waitsForBrief: boolean;
}

export class AdvanceCalls {
  /** Brief calls that this advance has opened and ended. */
  readonly ended: OpenCall[] = [];
  readonly opened: OpenedCall[] = [];
  /** Calls that have failed, and whose next attempt waits. */
  readonly retries: OpenCall[] = [];
  readonly #walk: AdvanceWalk;
  readonly #maps: AdvanceMaps;
  readonly #begin: BeginEarly;
  readonly #waitsForBrief: boolean;
  /** Under way, and written by this advance either as ended or as opened. */
  readonly #brief = new Map<LiveCallWork, OpenedCall>();
  readonly #briefReturns = new Returns();
  #patienceMs = 0;

  constructor(walk: AdvanceWalk, { maps, begin, waitsForBrief }: CallsOf) {
    this.#walk = walk;
    this.#maps = maps;
    this.#begin = begin;
    this.#waitsForBrief = waitsForBrief;
  }

  get underWay(): number {
    return this.opened.length + this.#brief.size;
  }

  /** Takes over a call that another process had under way: its record decides what becomes of it. */
  async takeOver(call: OpenCall): Promise<void> {
    const taken = await openAttempt(this.#walk.context, call);
    if (taken.kind === 'gone') return;
    if (taken.kind === 'settled') {
      // Its output is counted where it was written.
      this.#walk.settle(call.node, call.visit, { outcome: taken.outcome, outputBytes: 0 });
      return;
    }
    const { execution, step } = taken;
    if (taken.kind === 'open') {
      this.opened.push({ call: { ...call, attempt: execution.attempt }, execution, step, work: null });
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
    await this.#walk.loadForEnd(call.node, execution);
    const credits = await execution.meter.record(context.sql, context.segment, execution);
    const scope = new ExecutionScope(context, execution);
    if (end.kind === 'failed') {
      const step = await this.#failedStep(call, opened);
      const next = nextAttempt(step, execution, end.error);
      if (next === null)
        return this.#failCall(call, step, concludeFailure(scope, end.error, spentAttempts(step) + 1));
      this.#walk.writes.step(step);
      this.#walk.writes.event(next.told);
      this.#retry({ ...call, retryInMs: next.delayMs });
      return;
    }
    const step = copyOfStep(opened);
    const conclusion = await decideStep(scope, step, () => end.decide(scope, step, credits));
    this.#endCall(call, step, conclusion);
  }

  /** The step of a call that has failed: whether it was sent stands in its row. What has no effect does not say that. */
  async #failedStep(call: OpenCall, opened: StepRow): Promise<StepRow> {
    if (opened.effect === 'pure') return copyOfStep(opened);
    const step = await lockStep(this.#walk.context.sql, call);
    if (step === null) throw new Error(`The step of node ${call.nodeId} is gone`);
    return step;
  }

  #failCall(call: OpenCall, step: StepRow, conclusion: Conclusion): void {
    concludeStep(step, conclusion);
    this.#endCall(call, step, conclusion);
  }

  #endCall(call: OpenCall, step: StepRow, conclusion: Conclusion): void {
    this.#walk.writes.step(step);
    this.#walk.writes.event(...conclusion.events);
    if (call.itemIndex >= 0) this.#maps.end(call, conclusion);
    else this.#walk.settle(call.node, call.visit, conclusion);
  }

  #retry(call: OpenCall): void {
    if (call.itemIndex >= 0) this.#maps.follow(call);
    else this.retries.push(call);
  }

  /** Opens the first attempt of a short node, or of an item of one, and begins it where it is brief. */
  open(index: number, execution: NodeExecution): void {
    const { organizationId, rootRunPk, runPk } = this.#walk.context.segment;
    const step = beginStep(this.#walk.context, execution);
    this.#walk.writes.event(nodeEvent('node_started', execution));
    const { node, visit, depth, position, iteration, stepId, attempt, item } = execution;
    const loop = this.#walk.graph.nodes[index]?.readsLoop === true ? execution.loop : {};
    const task = {
      organizationId,
      rootRunPk,
      runPk,
      nodeId: node.id,
      visit,
      depth,
      position,
      itemIndex: item?.index ?? -1,
      iteration,
      loop,
    };
    const call = { ...task, node: index, stepId, attempt, retryInMs: null };
    const opened = { call, execution, step, work: null };
    if (item !== null) this.#maps.follow(call);
    const patienceMs = node.policy.recordAfterMs ?? 0;
    if (patienceMs === 0 || !this.#waitsForBrief) return this.#record(opened);
    const work = this.#begin(opened);
    this.#brief.set(work, { ...opened, work });
    this.#briefReturns.follow(work);
    this.#patienceMs = Math.max(this.#patienceMs, patienceMs);
  }

  #record(opened: OpenedCall): void {
    this.#walk.writes.step(opened.step);
    this.opened.push(opened);
  }

  /** Waits for brief calls, and ends their nodes. @returns false when none has come back in time */
  async concludeBrief(): Promise<boolean> {
    if (this.#brief.size === 0) return false;
    let hasEnded = false;
    for (const work of (await this.#briefReturns.next(this.#patienceMs)) ?? []) {
      const end = await endOfCall(work);
      // What else became of it is looked at when its attempt is recorded.
      if (end.kind !== 'ended') continue;
      await this.conclude(end.call);
      work.working.live.close();
      this.#brief.delete(work);
      this.ended.push(work.call);
      hasEnded = true;
    }
    return hasEnded;
  }

  /** Records the brief calls that have not come back as begun. */
  recordBrief(): void {
    for (const opened of this.#brief.values()) this.#record(opened);
    this.#brief.clear();
  }
}
