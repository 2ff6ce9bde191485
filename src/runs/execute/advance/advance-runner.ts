/**
 * Runs one advance of a run: settles what has ended, folds the ready nodes, and ends or pauses the run. Its writes go through
 * AdvanceWrites.
 */
import { setImmediate } from 'node:timers/promises';
import { NODE, isCurrent, isQuiet, resolveDeferred, startNode } from '../../../graph/schedule.ts';
import { resumeNode } from '../../../graph/pauses.ts';
import { openSegment } from '../../ledger/interrupts.ts';
import { readCurrentSegment } from '../../ledger/segments.ts';
import { keepItems } from '../../ledger/reused-items.ts';
import { lockStep } from '../../ledger/steps.ts';
import { MAX_IN_FLIGHT } from '../protocol.ts';
import type { AgentResumed, MapStarted, OpenQuestion, RunFailure } from '../protocol.ts';
import { AdvanceWalk } from './walk.ts';
import type { WalkState } from './walk.ts';
import { ROWS_PER_STATEMENT } from './writes.ts';
import { closeCompleted, closeInterrupted, closeStopped } from './closing.ts';
import { settleApproval } from '../agent/approval.ts';
import { toNodeError, concludeFailure, concludeStep } from '../attempt/conclusion.ts';
import { createStep } from '../attempt/execution.ts';
import type { ExecuteDeps } from '../deps.ts';
import { concludeWait, fold, evaluateItems } from './fold.ts';
import { buildNodeEvent } from '../frames.ts';
import {
  concludeQuestion,
  expireQuestions,
  openQuestion,
  readOpenQuestions,
  buildQuestionFields,
  buildResolvedEvent,
  takeAnswers,
} from './questions.ts';
import type { InterruptRow } from './questions.ts';
import { ExecutionScope, loadStateFor } from '../context.ts';
import type { NodeExecution } from '../context.ts';

/**
 * Limits of one fold: beyond them the work is committed, and the interpreter requests another advance. FOLD_NODES is the size of
 * one statement.
 */
const FOLD_NODES = ROWS_PER_STATEMENT;
const FOLD_MS = 200;
const FOLD_BYTES = 8 * 1024 * 1024;
/** Nodes folded before yielding to the event loop. */
const TURN_NODES = 25;

type AdvanceEnd =
  | { readonly state: 'running'; readonly more: boolean }
  | { readonly state: 'interrupted'; readonly questions: readonly OpenQuestion[] }
  | { readonly state: 'closed'; readonly status: 'completed' | 'failed'; readonly error: RunFailure | null };

export class AdvanceRunner {
  /** Mapped nodes that have started: the interpreter runs their items. */
  readonly maps: MapStarted[] = [];
  readonly resumed: AgentResumed[] = [];
  readonly #deps: ExecuteDeps;
  readonly #walk: AdvanceWalk;

  constructor(deps: ExecuteDeps, state: WalkState) {
    this.#deps = deps;
    this.#walk = new AdvanceWalk(state);
  }

  get runPk(): string {
    return this.#walk.context.segment.runPk;
  }

  async run(): Promise<AdvanceEnd> {
    // First, so that questions and timers see the skips. A paused run has none, because it pauses only when nothing is running.
    if (this.#walk.context.segment.status !== 'interrupted')
      this.#walk.recordSkipped(this.#walk.input.skipped);
    await this.#takeExpired();
    if (this.#walk.context.segment.status === 'interrupted')
      return { state: 'interrupted', questions: await readOpenQuestions(this.#walk.context) };
    if (this.#walk.input.progress !== '') {
      for (const row of await takeAnswers(this.#walk.context)) await this.#settleQuestion(row, false);
    }
    await this.#wakeSleepers();
    return this.#foldOn();
  }

  async #foldOn(): Promise<AdvanceEnd> {
    const more = await this.#foldReady();
    return more ? { state: 'running', more } : this.#end();
  }

  /** Writes the changes of `run`. @param answer the answer to store, as JSON text */
  write(answer: string): Promise<void> {
    return this.#walk.writes.end(this.#walk.context, this.#walk.input.advance, answer);
  }

  /**
   * Settles the questions whose timer fired. In a paused run this opens a new segment, because the stream of the paused one has
   * ended.
   */
  async #takeExpired(): Promise<void> {
    const { sql, segment } = this.#walk.context;
    for (const [index, visit] of this.#walk.input.elapsed) {
      const node = this.#walk.graph.nodes[index];
      if (node === undefined || this.#walk.progress.nodes[index] !== NODE.interrupted) continue;
      if (!isCurrent(this.#walk.progress, index, visit)) continue;
      const expired = await expireQuestions(sql, { rootRunPk: segment.rootRunPk, nodeId: node.id, visit });
      if (expired.length > 0 && this.#walk.context.segment.status === 'interrupted')
        await this.#openSegment();
      for (const row of expired) await this.#settleQuestion(row, true);
    }
  }

  async #openSegment(): Promise<void> {
    const { sql, segment } = this.#walk.context;
    await openSegment(sql, segment.runPk, null);
    const opened = await readCurrentSegment(sql, segment, true);
    if (opened === null) throw new Error(`Run ${segment.runPk} is gone`);
    this.#walk.context = { ...this.#walk.context, segment: opened };
  }

  async #settleQuestion(row: InterruptRow, timedOut: boolean): Promise<void> {
    const context = this.#walk.context;
    const node = context.ready.nodeById.get(row.node_id);
    if (node === undefined || !isCurrent(this.#walk.progress, node.index, row.visit)) return;
    if (row.question.kind === 'tool_approval') return this.#settleApproval(node.index, row, timedOut);
    const interrupted = await lockStep(context.sql, {
      runPk: row.run_pk,
      nodeId: row.node_id,
      visit: row.visit,
      itemIndex: -1,
    });
    // An answer that came before the segment paused ends the step of the question; a later one ends a step of the new segment.
    const sameSegment = interrupted !== null && row.run_pk === context.segment.runPk;
    const execution = this.#walk.execution(node.index, {
      visit: row.visit,
      depth: this.#walk.progress.depths[node.index] ?? 0,
      position: interrupted?.position ?? 0,
    });
    const own = { ...execution, stepId: sameSegment ? interrupted.step_id : execution.stepId };
    await loadStateFor(context, node);
    const conclusion = concludeQuestion(new ExecutionScope(context, own), row, timedOut);
    const step = sameSegment ? interrupted : createStep(context, own);
    step.input = buildQuestionFields(row);
    concludeStep(step, conclusion, context.clock.now());
    this.#walk.writes.step(step);
    this.#walk.writes.event(buildResolvedEvent(row, own, timedOut), ...conclusion.events);
    this.#walk.settle(node.index, row.visit, conclusion);
  }

  /** Settles the answer to an approval: its agent resumes, unless the run has been stopped meanwhile. */
  async #settleApproval(index: number, row: InterruptRow, timedOut: boolean): Promise<void> {
    if (this.#walk.progress.stop !== null) return;
    const { visit, turn } = row;
    const depth = this.#walk.progress.depths[index] ?? 0;
    const execution = this.#walk.execution(index, { visit, depth, position: 0 });
    const settled = await settleApproval(new ExecutionScope(this.#walk.context, execution), row, timedOut);
    if (settled === null) return;
    this.#walk.writes.event(...settled.events);
    if (!resumeNode(this.#walk.progress, index, visit)) return;
    this.resumed.push({ node: index, visit, depth, position: settled.position, turn });
  }

  /** Ends the waits whose timer fired; their steps have stored the output. */
  async #wakeSleepers(): Promise<void> {
    const context = this.#walk.context;
    for (const [index, visit] of this.#walk.input.elapsed) {
      if (this.#walk.progress.nodes[index] !== NODE.sleeping || !isCurrent(this.#walk.progress, index, visit))
        continue;
      const node = context.ready.plan.nodes[index];
      if (node === undefined) continue;
      const step = await lockStep(context.sql, {
        runPk: context.segment.runPk,
        nodeId: node.id,
        visit,
        itemIndex: -1,
      });
      if (step === null) continue;
      const execution = { ...this.#walk.execution(index, { ...step }), stepId: step.step_id };
      await loadStateFor(context, node);
      const conclusion = concludeWait(new ExecutionScope(context, execution), step);
      concludeStep(step, conclusion, context.clock.now());
      this.#walk.writes.step(step);
      this.#walk.writes.event(...conclusion.events);
      this.#walk.settle(index, visit, conclusion);
    }
  }

  /** Folds ready nodes until there are none. @returns true when a limit was reached first */
  async #foldReady(): Promise<boolean> {
    const { clock } = this.#walk.context;
    const until = clock.monotonic() + FOLD_MS;
    for (let count = 0; this.#walk.progress.stop === null; count += 1) {
      const index = this.#walk.progress.ready.find((node) => this.#isOurs(node));
      if (index === undefined) return false;
      if (count >= FOLD_NODES || this.#walk.bytes > FOLD_BYTES || clock.monotonic() > until) return true;
      if (count % TURN_NODES === TURN_NODES - 1) await setImmediate();
      const execution = startNode(this.#walk.graph, this.#walk.progress, index);
      if (execution === null) return false;
      await this.#foldNode(index, this.#walk.execution(index, execution));
    }
    return false;
  }

  /** Tells whether this advance starts the node: folded nodes, and mapped nodes while more may be in flight. */
  #isOurs(index: number): boolean {
    const shape = this.#walk.graph.nodes[index];
    if (shape === undefined) return false;
    if (shape.placement === 'fold') return true;
    return shape.maxConcurrency > 0 && this.#walk.input.inFlight + this.maps.length < MAX_IN_FLIGHT;
  }

  async #foldNode(index: number, execution: NodeExecution): Promise<void> {
    const context = this.#walk.context;
    const shape = this.#walk.graph.nodes[index];
    if (shape !== undefined && shape.placement !== 'fold') return this.#beginMap(index, execution);
    const folded = await fold(context, execution, this.#deps.tools);
    this.#walk.writes.step(...folded.steps);
    this.#walk.writes.event(...folded.events);
    const { end } = folded;
    if (end.kind === 'settled') return this.#walk.settle(index, execution.visit, end.conclusion);
    if (end.kind === 'sleeping') {
      this.#walk.progress.nodes[index] = NODE.sleeping;
      this.#walk.progress.timers.push({ node: index, visit: execution.visit, fireAtMs: end.untilMs });
      return;
    }
    this.#walk.progress.nodes[index] = NODE.interrupted;
    const row = await openQuestion(new ExecutionScope(context, execution), end.question);
    end.step.input = buildQuestionFields(row);
    this.#walk.writes.event(buildNodeEvent('interrupt', execution, buildQuestionFields(row)));
    if (row.expires_at !== null) {
      this.#walk.progress.timers.push({
        node: index,
        visit: execution.visit,
        fireAtMs: row.expires_at.getTime(),
      });
    }
  }

  /** Evaluates the items of a mapped node, which the interpreter then runs. */
  async #beginMap(index: number, execution: NodeExecution): Promise<void> {
    const context = this.#walk.context;
    const { node } = execution;
    if (node.forEach === null) throw new Error(`Node ${node.id} is not mapped`);
    await loadStateFor(context, node);
    const scope = new ExecutionScope(context, execution);
    const step = createStep(context, execution);
    this.#walk.writes.step(step);
    this.#walk.writes.event(buildNodeEvent('node_started', execution));
    try {
      const items = evaluateItems(node.forEach, scope);
      step.input = { items };
      // A rerun reuses the unchanged items of the earlier run.
      if (context.segment.rerunOf !== null) await keepItems(context.sql, step, items);
      const { visit, depth, position } = execution;
      this.maps.push({ node: index, visit, depth, position, count: items.length });
    } catch (error) {
      const conclusion = concludeFailure(scope, toNodeError(error), 1);
      concludeStep(step, conclusion, context.clock.now());
      this.#walk.writes.event(...conclusion.events);
      this.#walk.settle(index, execution.visit, conclusion);
    }
  }

  async #end(): Promise<AdvanceEnd> {
    const context = this.#walk.context;
    const progress = this.#walk.progress;
    const busy = this.#walk.input.inFlight + this.maps.length + this.resumed.length > 0;
    if (progress.stop !== null) {
      if (busy) return { state: 'running', more: false };
      const error = await closeStopped(context, { graph: this.#walk.graph, progress }, this.#walk.writes);
      return { state: 'closed', status: 'failed', error };
    }
    if (busy || !isQuiet(progress)) return { state: 'running', more: false };
    // An answer may continue a loop, so nodes that wait for the end of a loop also wait for open questions.
    if (progress.nodes.includes(NODE.interrupted)) {
      return { state: 'interrupted', questions: await closeInterrupted(context, this.#walk.writes) };
    }
    const skipped = resolveDeferred(this.#walk.graph, progress);
    if (skipped !== null) {
      this.#walk.recordSkipped(skipped);
      return this.#foldOn();
    }
    const error = await closeCompleted(context, progress, this.#walk.writes);
    return { state: 'closed', status: error === null ? 'completed' : 'failed', error };
  }
}
