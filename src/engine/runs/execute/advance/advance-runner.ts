/**
 * Runs one advance of a run: settles what has ended, folds the ready nodes, and ends or pauses the run. Its writes go through
 * AdvanceWrites.
 */
import { setImmediate } from 'node:timers/promises';
import { NODE, isCurrent, isQuiet } from '../../../../language/graph/schedule/schedule.ts';
import { resolveDeferred, settleNode, startNode } from '../../../../language/graph/schedule/schedule.ts';
import type { Execution, Progress } from '../../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../../language/graph/definition/skeleton.ts';
import { resumeNode } from '../../../../language/graph/schedule/pauses.ts';
import { addAnswerLinks } from '../../ledger/questions/answer-links.ts';
import { recordWebhookResponse } from '../../ledger/write/webhook-responses.ts';
import { openSegment } from '../../ledger/questions/interrupts.ts';
import { readCurrentSegment } from '../../ledger/write/segments.ts';
import { keepItems } from '../../ledger/write/reused-items.ts';
import { consumeAnswers, expireQuestions, type InterruptRow } from '../../ledger/questions/questions.ts';
import { lockStep } from '../../ledger/write/steps.ts';
import { MAX_IN_FLIGHT } from '../protocol.ts';
import type { AdvanceInput, MapStarted, NodeResumed, OpenQuestion, RunFailure } from '../protocol.ts';
import { AdvanceWrites, ROWS_PER_STATEMENT } from './writes.ts';
import { closeCompleted, closeInterrupted, closeStopped } from './closing.ts';
import { settleApproval } from '../agent/approval.ts';
import { toNodeError, concludeFailure, concludeStep, type Conclusion } from '../../walk/conclusion.ts';
import { createStep } from '../../walk/step.ts';
import { loadStateFor, type NodeExecution, ExecutionScope } from '../../walk/context.ts';
import type { ExecuteDeps } from '../deps.ts';
import { endOvertaken } from './overtaken.ts';
import { concludeWait, fold, evaluateItems, toNodeExecution } from '../../walk/fold.ts';
import { buildNodeEvent } from '../../walk/frames.ts';
import { settleQuestion } from './settle-question.ts';
import { answerEarly, openQuestion, readOpenQuestions, buildQuestionFields } from './questions.ts';
import { createFoldedSpend } from '../budget.ts';
import type { RunContext } from '../context.ts';

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

/** The run of an advance, and the progress of its walk. */
interface AdvanceState {
  readonly context: RunContext;
  readonly graph: Skeleton;
  readonly progress: Progress;
  readonly input: AdvanceInput;
}

export class AdvanceRunner {
  /** Mapped nodes that have started: the interpreter runs their items. */
  readonly maps: MapStarted[] = [];
  readonly resumed: NodeResumed[] = [];
  readonly #deps: ExecuteDeps;
  readonly #graph: Skeleton;
  readonly #progress: Progress;
  readonly #input: AdvanceInput;
  readonly #writes: AdvanceWrites;
  #context: RunContext;
  /** A question of this advance has its answer, which the next one takes. */
  #hasEarlyAnswer = false;
  /** Bytes of the outputs of this advance. */
  #bytes = 0;

  constructor(deps: ExecuteDeps, { context, graph, progress, input }: AdvanceState) {
    this.#deps = deps;
    this.#context = context;
    this.#graph = graph;
    this.#progress = progress;
    this.#input = input;
    this.#writes = new AdvanceWrites(context.clock);
  }

  get runPk(): string {
    return this.#context.segment.runPk;
  }

  async run(): Promise<AdvanceEnd> {
    // First, so that questions and timers see the skips. A paused run has none, because it pauses only when nothing is running.
    if (this.#context.segment.status !== 'interrupted') this.#recordSkipped(this.#input.skipped);
    await this.#endOvertaken();
    await this.#takeExpired();
    if (this.#context.segment.status === 'interrupted')
      return { state: 'interrupted', questions: await readOpenQuestions(this.#context) };
    await this.#takeAnswers();
    await this.#wakeSleepers();
    return this.#foldOn();
  }

  async #foldOn(): Promise<AdvanceEnd> {
    const more = (await this.#foldReady()) || this.#hasEarlyAnswer;
    await this.#endOvertaken();
    return more ? { state: 'running', more } : this.#end();
  }

  /** Writes the changes of `run`. @param answer the answer to store, as JSON text @throws ShareFull, see ValueShare */
  async write(answer: string): Promise<void> {
    // The outputs stay in memory until PostgreSQL has taken them.
    this.#context.values.holdWith(this.#bytes);
    await this.#writes.end(this.#context, this.#input.advance, answer);
  }

  /** Settles the answers to the questions of nodes that wait. Another node may have paused, which its walk does not know yet. */
  async #takeAnswers(): Promise<void> {
    const { sql, segment } = this.#context;
    const { nodes, visits } = this.#progress;
    if (!nodes.includes(NODE.interrupted)) return;
    const waiting = this.#graph.nodes.flatMap(({ id }, index) =>
      nodes[index] === NODE.interrupted ? [{ nodeId: id, visit: visits[index] ?? 0 }] : [],
    );
    for (const row of await consumeAnswers(sql, segment, waiting)) await this.#settleQuestion(row, false);
  }

  /**
   * Settles the questions whose timer fired. In a paused run this opens a new segment, because the stream of the paused one has
   * ended.
   */
  async #takeExpired(): Promise<void> {
    const { sql, segment } = this.#context;
    for (const [index, visit] of this.#input.elapsed) {
      const node = this.#graph.nodes[index];
      const timer = this.#progress.timers.find((one) => one.node === index && one.visit === visit);
      if (node === undefined || timer === undefined) continue;
      if (this.#progress.nodes[index] !== NODE.interrupted || !isCurrent(this.#progress, index, visit))
        continue;
      const expired = await expireQuestions(sql, segment, { ...timer, nodeId: node.id });
      if (expired.length > 0 && this.#context.segment.status === 'interrupted') await this.#openSegment();
      for (const row of expired) await this.#settleQuestion(row, true);
    }
  }

  async #openSegment(): Promise<void> {
    const { sql, segment } = this.#context;
    await openSegment(sql, segment.runPk, null);
    const opened = await readCurrentSegment(sql, segment, true);
    if (opened === null) throw new Error(`Run ${segment.runPk} is gone`);
    this.#context = { ...this.#context, segment: opened };
  }

  async #settleQuestion(row: InterruptRow, timedOut: boolean): Promise<void> {
    const context = this.#context;
    const node = context.ready.nodeById.get(row.node_id);
    if (node === undefined || !isCurrent(this.#progress, node.index, row.visit)) return;
    if (row.question.kind === 'tool_approval') return this.#settleApproval(node.index, row, timedOut);
    const { visit } = row;
    const depth = this.#progress.depths[node.index] ?? 0;
    const execution = this.#toExecution(node.index, { visit, depth, position: 0 });
    const settled = await settleQuestion(context, execution, { row, timedOut });
    if (settled === null) return;
    const { step, events, conclusion } = settled;
    this.#writes.step(step);
    this.#writes.event(...events);
    if (conclusion !== null) return this.#settle(node.index, visit, conclusion);
    // A run that has been stopped meanwhile starts nothing more.
    if (this.#progress.stop !== null || !resumeNode(this.#progress, node.index, visit)) return;
    this.resumed.push({ node: node.index, visit, depth, position: step.position, turn: null });
  }

  /** Settles the answer to an approval: its agent resumes, unless the run has been stopped meanwhile. */
  async #settleApproval(index: number, row: InterruptRow, timedOut: boolean): Promise<void> {
    if (this.#progress.stop !== null) return;
    const { visit, turn } = row;
    const depth = this.#progress.depths[index] ?? 0;
    const execution = this.#toExecution(index, { visit, depth, position: 0 });
    const settled = await settleApproval(new ExecutionScope(this.#context, execution), row, timedOut);
    if (settled === null) return;
    this.#writes.event(...settled.events);
    if (!resumeNode(this.#progress, index, visit)) return;
    this.resumed.push({ node: index, visit, depth, position: settled.position, turn });
  }

  /** Ends the waits whose timer fired; their steps have stored the output. */
  async #wakeSleepers(): Promise<void> {
    const context = this.#context;
    for (const [index, visit] of this.#input.elapsed) {
      if (this.#progress.nodes[index] !== NODE.sleeping || !isCurrent(this.#progress, index, visit)) continue;
      const node = context.ready.plan.nodes[index];
      if (node === undefined) continue;
      const step = await lockStep(context.sql, {
        runPk: context.segment.runPk,
        nodeId: node.id,
        visit,
        itemIndex: -1,
      });
      if (step === null) continue;
      const execution = { ...this.#toExecution(index, { ...step }), stepId: step.step_id };
      await loadStateFor(context, node);
      const conclusion = concludeWait(new ExecutionScope(context, execution), step);
      concludeStep(step, conclusion, context.clock.now());
      this.#writes.step(step);
      this.#writes.event(...conclusion.events);
      this.#settle(index, visit, conclusion);
    }
  }

  /** Folds ready nodes until there are none. @returns true when a limit was reached first */
  async #foldReady(): Promise<boolean> {
    const { clock } = this.#context;
    const until = clock.monotonic() + FOLD_MS;
    for (let count = 0; this.#progress.stop === null; count += 1) {
      const index = this.#progress.ready.find((node) => this.#isOurs(node));
      if (index === undefined) return false;
      if (count >= FOLD_NODES || this.#bytes > FOLD_BYTES || clock.monotonic() > until) return true;
      if (count % TURN_NODES === TURN_NODES - 1) await setImmediate();
      const execution = startNode(this.#graph, this.#progress, index);
      if (execution === null) return false;
      await this.#foldNode(index, this.#toExecution(index, execution));
    }
    return false;
  }

  /** Tells whether this advance starts the node: folded nodes, and mapped nodes while more may be in flight. */
  #isOurs(index: number): boolean {
    const shape = this.#graph.nodes[index];
    if (shape === undefined) return false;
    if (shape.placement === 'fold') return true;
    return shape.maxConcurrency > 0 && this.#input.inFlight + this.maps.length < MAX_IN_FLIGHT;
  }

  async #foldNode(index: number, execution: NodeExecution): Promise<void> {
    const context = this.#context;
    const shape = this.#graph.nodes[index];
    if (shape !== undefined && shape.placement !== 'fold') return this.#beginMap(index, execution);
    const folded = await fold(context, execution, {
      tools: this.#deps.tools,
      createSpend: (one) => createFoldedSpend(context, one),
    });
    this.#writes.folded(folded);
    const { end } = folded;
    if (end.kind === 'settled') {
      if (end.response !== null) await recordWebhookResponse(context.sql, context.segment, end.response);
      return this.#settle(index, execution.visit, end.conclusion);
    }
    if (end.kind === 'sleeping') {
      this.#progress.nodes[index] = NODE.sleeping;
      this.#progress.timers.push({ node: index, visit: execution.visit, fireAtMs: end.untilMs });
      return;
    }
    this.#progress.nodes[index] = NODE.interrupted;
    const row = await openQuestion(new ExecutionScope(context, execution), end.question);
    end.step.input = buildQuestionFields(row);
    this.#writes.event(buildNodeEvent('interrupt', execution, buildQuestionFields(row)));
    if (await answerEarly(context, row)) this.#hasEarlyAnswer = true;
    if (end.recipients.length > 0)
      await addAnswerLinks(context.sql, { ...context.segment, interruptId: row.id }, end.recipients);
    if (row.expires_at !== null) {
      this.#progress.timers.push({
        node: index,
        visit: execution.visit,
        fireAtMs: row.expires_at.getTime(),
      });
    }
  }

  /** Evaluates the items of a mapped node, which the interpreter then runs. */
  async #beginMap(index: number, execution: NodeExecution): Promise<void> {
    const context = this.#context;
    const { node } = execution;
    if (node.forEach === null) throw new Error(`Node ${node.id} is not mapped`);
    await loadStateFor(context, node);
    const scope = new ExecutionScope(context, execution);
    const step = createStep(context, execution);
    this.#writes.step(step);
    this.#writes.event(buildNodeEvent('node_started', execution));
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
      this.#writes.event(...conclusion.events);
      this.#settle(index, execution.visit, conclusion);
    }
  }

  /**
   * Settles the end of a node: takes its out-edges, skips nodes, and stops the run after an unhandled failure. The end of an
   * older visit changes nothing.
   */
  #settle(
    index: number,
    visit: number,
    { outcome, outputBytes }: Pick<Conclusion, 'outcome' | 'outputBytes'>,
  ): void {
    if (!isCurrent(this.#progress, index, visit)) return;
    this.#bytes += outputBytes;
    this.#recordSkipped(
      settleNode(this.#graph, this.#progress, { node: index, visit, taken: outcome.taken }),
    );
    if (outcome.failed && this.#progress.stop === null) {
      this.#progress.stop = { reason: 'node_failed', node: index };
    }
  }

  /**
   * Records skipped nodes as steps and events, for canvases and the history. A skipped node has no value, also when an earlier
   * iteration of its loop gave it one.
   */
  #recordSkipped(skipped: readonly number[]): void {
    for (const index of new Set(skipped)) {
      const node = this.#context.ready.plan.nodes[index];
      if (node === undefined) continue;
      const visit = this.#progress.visits[index] ?? 0;
      const execution = this.#toExecution(index, { visit, depth: 0, position: this.#progress.executions });
      this.#context.values.setOutput(node.id, { visit, value: undefined });
      const step = createStep(this.#context, execution);
      this.#writes.step({ ...step, status: 'skipped', attempts: [], completed_at: step.started_at });
      this.#writes.event(buildNodeEvent('node_skipped', execution, { reason: 'branch' }));
    }
  }

  #endOvertaken(): Promise<void> {
    return endOvertaken(this.#context, { graph: this.#graph, progress: this.#progress }, this.#writes);
  }

  #toExecution(index: number, execution: Execution): NodeExecution {
    return toNodeExecution(this.#context, { graph: this.#graph, progress: this.#progress, index }, execution);
  }

  async #end(): Promise<AdvanceEnd> {
    const context = this.#context;
    const progress = this.#progress;
    const busy = this.#input.inFlight + this.maps.length + this.resumed.length > 0;
    if (progress.stop !== null) {
      if (busy) return { state: 'running', more: false };
      const error = await closeStopped(context, { graph: this.#graph, progress }, this.#writes);
      return { state: 'closed', status: 'failed', error };
    }
    if (busy || !isQuiet(progress)) return { state: 'running', more: false };
    // An answer may continue a loop, so nodes that wait for the end of a loop also wait for open questions.
    if (progress.nodes.includes(NODE.interrupted)) {
      return { state: 'interrupted', questions: await closeInterrupted(context, this.#writes) };
    }
    const skipped = resolveDeferred(this.#graph, progress);
    if (skipped !== null) {
      this.#recordSkipped(skipped);
      return this.#foldOn();
    }
    const error = await closeCompleted(context, progress, this.#writes);
    return { state: 'closed', status: error === null ? 'completed' : 'failed', error };
  }
}
