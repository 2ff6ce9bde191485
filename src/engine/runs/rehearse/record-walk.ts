/**
 * Walks a recorded run through a definition, in memory: pure nodes are folded by the code that runs fold, executions that send are
 * prepared and take the recorded outcome, and nothing is sent or written. Executions end in the order of the record.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../base/clock.ts';
import {
  createProgress,
  resolveDeferred,
  settleNode,
  startNode,
  type Progress,
} from '../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../language/graph/definition/skeleton.ts';
import type { Redaction } from '../../../language/graph/redaction/redaction.ts';
import type { EffectRule } from '../../../language/nodes/effect-rules.ts';
import type { NodeTools } from '../../../language/nodes/tools.ts';
import { renderRunOutput } from '../walk/run-output.ts';
import { ExecutionScope, seedValues, type NodeExecution, type WalkContext } from '../walk/context.ts';
import type { ReadyPlan } from '../walk/ready-plan.ts';
import { toPlaceKey, type RecordedRun, type RecordedStep } from './record.ts';
import { fold, toNodeExecution } from '../walk/fold.ts';
import { toNodeError, type Conclusion } from '../walk/conclusion.ts';
import { PREPARES_ALONE } from '../walk/folded-call.ts';
import { MemoryValues } from '../walk/values.ts';
import { withholdTools, type KeptTools } from './ask.ts';
import { RecordJudge, concludeRecorded, readText, toPlace, type Asked } from './record-judge.ts';
import type { Walk, WalkedStep } from './walked.ts';

export interface WalkDeps {
  readonly clock: Clock;
  readonly tools: KeptTools;
  readonly callbackUrl: WalkContext['callbackUrl'];
  /** By the paths that were named when the run was accepted. */
  readonly redaction: Redaction;
  readonly effectRules: readonly EffectRule[];
}

/** Executions walked before other work of the process has its turn. */
const TURN = 25;

/** An execution that has begun, and ends in the order of the record. */
interface Begun {
  readonly index: number;
  readonly scope: ExecutionScope;
  readonly order: number;
  readonly asked: Asked;
}

/**
 * Walks a record.
 * @param before the walk of the run's own definition, which this one is compared with; null for that walk itself, which takes every
 *   recorded outcome; `observe` gets each execution that is folded, by the state before it
 * @throws errors of the tools, and what `signal` aborts with
 */
export function walkRecord(
  deps: WalkDeps,
  given: {
    readonly ready: ReadyPlan;
    readonly record: RecordedRun;
    readonly before: Walk | null;
    readonly signal: AbortSignal;
    readonly observe?: (scope: ExecutionScope) => void;
  },
): Promise<Walk> {
  return new RecordWalk(deps, given).walk();
}

class RecordWalk {
  readonly #context: WalkContext;
  readonly #graph: Skeleton;
  readonly #progress: Progress;
  readonly #tools: NodeTools;
  readonly #judge: RecordJudge;
  readonly #recorded: ReadonlyMap<string, RecordedStep & { readonly order: number }>;
  readonly #signal: AbortSignal;
  readonly #observe: (scope: ExecutionScope) => void;
  readonly #begun: Begun[] = [];
  readonly #steps: WalkedStep[] = [];
  /** Executions whose end nobody knows. */
  #open = 0;
  #failure: Walk['error'] = null;

  constructor(
    { clock, tools, callbackUrl, redaction, effectRules }: WalkDeps,
    { ready, record, before, signal, observe = () => undefined }: Parameters<typeof walkRecord>[1],
  ) {
    const { segment, inputs, steps } = record;
    this.#context = {
      clock,
      segment,
      ready,
      values: new MemoryValues(),
      redaction,
      // The recorded answer of a question stands, so what people are asked about may leave.
      effectRules: effectRules.map((rule) =>
        rule.decision === 'ask' ? { ...rule, decision: 'allow' } : rule,
      ),
      callbackUrl,
    };
    seedValues(this.#context, inputs);
    this.#graph = ready.skeleton(segment.recursionLimit);
    this.#progress = createProgress(this.#graph);
    this.#tools = withholdTools(tools);
    this.#recorded = new Map(steps.map((step, order) => [toPlaceKey(step.nodeId, step), { ...step, order }]));
    this.#signal = signal;
    this.#observe = observe;
    this.#judge = new RecordJudge({
      context: this.#context,
      recorded: this.#recorded,
      before,
      tools: this.#tools,
      signal,
    });
  }

  async walk(): Promise<Walk> {
    for (let count = 1; ; count += 1) {
      if (count % TURN === 0) await setImmediate();
      this.#signal.throwIfAborted();
      await this.#beginReady();
      if (await this.#endNext()) continue;
      if (this.#progress.stop !== null || this.#begun.length > 0) break;
      const skipped = resolveDeferred(this.#graph, this.#progress);
      if (skipped === null) break;
      this.#skip(skipped);
    }
    return this.#close();
  }

  /** Begins the ready executions that are not folded: they read the state of now. */
  async #beginReady(): Promise<void> {
    for (const index of this.#progress.ready.slice()) {
      if (this.#progress.stop !== null) return;
      if (this.#graph.nodes[index]?.placement === 'fold') continue;
      const execution = startNode(this.#graph, this.#progress, index);
      if (execution === null) return;
      const scope = new ExecutionScope(this.#context, this.#toExecution(index, execution));
      const order = this.#findOrder(scope.execution.node.id, execution.visit);
      this.#begun.push({ index, scope, order, asked: await this.#judge.ask(scope) });
    }
  }

  /** Ends the next execution in the order of the record. @returns false when none can end */
  async #endNext(): Promise<boolean> {
    if (this.#progress.stop !== null) return false;
    const folds = this.#progress.ready
      .filter((index) => this.#graph.nodes[index]?.placement === 'fold')
      .map((index) => ({ index, order: this.#findFoldOrder(index) }));
    const nextFold = findFirst(folds);
    const nextBegun = findFirst(this.#begun);
    if (nextFold !== null && (nextBegun === null || nextFold.order < nextBegun.order)) {
      await this.#fold(nextFold.index);
      return true;
    }
    if (nextBegun === null) return false;
    this.#begun.splice(this.#begun.indexOf(nextBegun), 1);
    const { index, scope, asked } = nextBegun;
    const judged = await this.#judge.judge(scope, asked);
    // Its node stays as begun: nothing behind it is walked.
    if (judged === null) this.#open += 1;
    else this.#settle(index, scope.execution, judged);
    return true;
  }

  async #fold(index: number): Promise<void> {
    const started = startNode(this.#graph, this.#progress, index);
    if (started === null) return;
    const execution = this.#toExecution(index, started);
    this.#observe(new ExecutionScope(this.#context, execution));
    const { end } = await fold(this.#context, execution, {
      tools: this.#tools,
      // A rehearsal costs nothing.
      createSpend: () => PREPARES_ALONE.spend,
    });
    if (end.kind === 'settled') return this.#settle(index, execution, end.conclusion);
    const scope = new ExecutionScope(this.#context, execution);
    const recorded = this.#recorded.get(toPlace(execution));
    if (recorded === undefined || recorded.taken === null) {
      this.#open += 1;
      return;
    }
    if (end.kind === 'interrupted') this.#judge.compareQuestion(execution, end.question, recorded);
    this.#settle(index, execution, concludeRecorded(scope, recorded));
  }

  #settle(index: number, execution: NodeExecution, conclusion: Conclusion): void {
    const { node, visit } = execution;
    const { outcome, status, handle, output, error } = conclusion;
    this.#steps.push({ nodeId: node.id, visit, status, handle, taken: outcome.taken, output, error });
    this.#skip(settleNode(this.#graph, this.#progress, { node: index, visit, taken: outcome.taken }));
    if (!outcome.failed || this.#progress.stop !== null) return;
    this.#progress.stop = { reason: 'node_failed', node: index };
    this.#failure = {
      code: readText(error?.['code'], 'node_failed'),
      message: readText(error?.['message'], 'A node failed'),
      nodeId: node.id,
    };
  }

  #skip(skipped: readonly number[]): void {
    for (const index of new Set(skipped)) {
      const node = this.#context.ready.plan.nodes[index];
      const visit = this.#progress.visits[index] ?? 0;
      if (node !== undefined) this.#context.values.setOutput(node.id, { visit, value: undefined });
    }
  }

  async #close(): Promise<Walk> {
    const { asks, findings } = this.#judge;
    const walked = { steps: this.#steps, asks, findings };
    const { stop } = this.#progress;
    if (stop !== null) {
      const nodeId = this.#graph.nodes[stop.node]?.id ?? null;
      const limit = { code: stop.reason, message: 'The run reached a limit', nodeId };
      return { ...walked, end: 'failed', output: null, error: this.#failure ?? limit };
    }
    if (this.#open > 0) return { ...walked, end: 'open', output: null, error: null };
    try {
      const { output } = await renderRunOutput(this.#context, this.#progress);
      return { ...walked, end: 'completed', output: this.#context.redaction.json(output), error: null };
    } catch (error) {
      const { code, message } = toNodeError(error);
      return { ...walked, end: 'failed', output: null, error: { code, message, nodeId: null } };
    }
  }

  /** Executions that are not recorded end at once. */
  #findOrder(nodeId: string, visit: number): number {
    return this.#recorded.get(toPlaceKey(nodeId, { visit, itemIndex: -1 }))?.order ?? -1;
  }
  #findFoldOrder(index: number): number {
    const nodeId = this.#graph.nodes[index]?.id ?? '';
    return this.#findOrder(nodeId, (this.#progress.visits[index] ?? 0) + 1);
  }

  #toExecution(index: number, started: Parameters<typeof toNodeExecution>[2]): NodeExecution {
    return toNodeExecution(this.#context, { graph: this.#graph, progress: this.#progress, index }, started);
  }
}

function findFirst<Ordered extends { readonly order: number }>(of: readonly Ordered[]): Ordered | null {
  let first: Ordered | null = null;
  for (const each of of) if (first === null || each.order < first.order) first = each;
  return first;
}
