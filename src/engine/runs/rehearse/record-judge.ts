/**
 * How the executions of a walk end that are not folded: by their record, where they ask for what was asked; else by a computation that sends
 * nothing, or nobody knows. Another request is a finding.
 */
import { setImmediate } from 'node:timers/promises';
import type { Json } from '../../../language/graph/values/value.ts';
import { readErrorResponse } from '../../../language/nodes/error-response.ts';
import { NodeError, type Question } from '../../../language/nodes/kind.ts';
import { getKind } from '../../../language/nodes/registry.ts';
import type { NodeTools } from '../../../language/nodes/tools.ts';
import { concludeItems, evaluateItems, toItemFailure } from '../walk/fold.ts';
import {
  concludeFailure,
  concludeSuccess,
  toNodeError,
  toSuccess,
  type Conclusion,
} from '../walk/conclusion.ts';
import { ExecutionScope, buildCall, type NodeExecution, type WalkContext } from '../walk/context.ts';
import { toPlaceKey, type RecordedStep } from './record.ts';
import { PREPARES_ALONE } from '../walk/folded-call.ts';
import { CannotWork, prepareAsk, type Ask, type Unprepared } from './ask.ts';
import type { Finding, Walk } from './walked.ts';

/** Items prepared before other work of the process has its turn. */
const TURN = 25;

/** The requests of an execution as it began. */
export interface Asked {
  readonly asked: Ask | Unprepared;
  /** Of a mapped node. */
  readonly items: readonly { readonly scope: ExecutionScope; readonly asked: Ask | Unprepared }[] | null;
}

/** How an execution ends; null: nobody knows, so what follows it is not walked. */
type Judged = Conclusion | null;

interface JudgeOptions {
  readonly context: WalkContext;
  /** By place. */
  readonly recorded: ReadonlyMap<string, RecordedStep>;
  readonly before: Walk | null;
  /** They send nothing. */
  readonly tools: NodeTools;
  readonly signal: AbortSignal;
}

export class RecordJudge {
  readonly asks = new Map<string, Ask>();
  readonly findings: Finding[] = [];
  readonly #context: WalkContext;
  readonly #recorded: JudgeOptions['recorded'];
  readonly #before: Walk | null;
  readonly #beforeByKey: ReadonlyMap<string, string>;
  readonly #tools: NodeTools;
  readonly #signal: AbortSignal;

  constructor({ context, recorded, before, tools, signal }: JudgeOptions) {
    this.#context = context;
    this.#recorded = recorded;
    this.#before = before;
    this.#beforeByKey = new Map([...(before?.asks ?? [])].map(([place, { key }]) => [key, place]));
    this.#tools = tools;
    this.#signal = signal;
  }

  /** Prepares what an execution that begins asks, by the state of now. */
  async ask(scope: ExecutionScope): Promise<Asked> {
    const { execution } = scope;
    const { forEach } = execution.node;
    if (forEach === null) return { asked: await this.#askOne(scope), items: null };
    try {
      const items: { scope: ExecutionScope; asked: Ask | Unprepared }[] = [];
      for (const [index, value] of evaluateItems(forEach, scope).entries()) {
        const item = { index, value, parentStepId: execution.stepId };
        const itemScope = new ExecutionScope(this.#context, { ...execution, item });
        items.push({ scope: itemScope, asked: await this.#askOne(itemScope) });
        if (index % TURN === TURN - 1) await setImmediate();
      }
      const key = JSON.stringify(items.map(({ asked }) => ('key' in asked ? asked.key : asked.failure.code)));
      return { asked: { key, settings: '', kind: 'none', shown: null }, items };
    } catch (error) {
      return { asked: { failure: toNodeError(error) }, items: null };
    }
  }

  async #askOne(scope: ExecutionScope): Promise<Ask | Unprepared> {
    const asked = await prepareAsk(scope, this.#buildCall(scope));
    if ('key' in asked) this.asks.set(toPlace(scope.execution), asked);
    return asked;
  }

  /** Says how an execution ends. */
  async judge(scope: ExecutionScope, { asked, items }: Asked): Promise<Judged> {
    if (items === null) return this.#judgeOne(scope, asked);
    const recorded = this.#recorded.get(toPlace(scope.execution));
    // The walk of the own definition, or items that all ask for what they asked for.
    const before = this.#before;
    const places = items.map((item) => ({ ...item, place: toPlace(item.scope.execution) }));
    const isSame =
      before === null ||
      (places.every(({ asked: each, place }) => 'key' in each && before.asks.get(place)?.key === each.key) &&
        !before.asks.has(
          toPlaceKey(scope.execution.node.id, { ...scope.execution, itemIndex: items.length }),
        ));
    if (isSame && recorded !== undefined) {
      for (const { asked: each, scope: own } of places) this.#compareReading(own.execution, each);
      return recorded.taken === null ? null : concludeRecorded(scope, recorded);
    }
    const results: Parameters<typeof concludeItems>[1][number][] = [];
    for (const [index, { scope: itemScope, asked: each }] of items.entries()) {
      const judged = await this.#judgeOne(itemScope, each);
      if (judged === null) return null;
      const { outcome, output, error } = judged;
      if (outcome.failed) return concludeFailure(scope, toItemFailure(index, error), 1);
      results.push({ index, output, error });
    }
    return conclude(scope, () => concludeItems(scope, results, 0));
  }

  async #judgeOne(scope: ExecutionScope, asked: Ask | Unprepared): Promise<Judged> {
    const { execution } = scope;
    const place = toPlace(execution);
    const recorded = this.#recorded.get(place);
    if (this.#before === null)
      return recorded === undefined || recorded.taken === null ? null : concludeRecorded(scope, recorded);
    if ('failure' in asked) return concludeFailure(scope, asked.failure, 1);
    const before = this.#before.asks.get(place);
    if (before?.key === asked.key && recorded !== undefined && recorded.taken !== null) {
      this.#compareReading(execution, asked);
      return concludeRecorded(scope, recorded);
    }
    if (asked.kind === 'none')
      return this.#compute(scope, { before: before?.shown ?? null, after: asked.shown });
    const moved = this.#recorded.get(this.#beforeByKey.get(asked.key) ?? '');
    if (moved !== undefined && moved.taken !== null) return concludeRecorded(scope, moved);
    const shown = { before: before?.shown ?? null, after: asked.shown };
    if (recorded === undefined || recorded.taken === null) {
      this.#note('new_effect', execution, shown);
      return null;
    }
    this.#note(asked.kind === 'write' ? 'sends' : 'asks', execution, shown);
    return asked.kind === 'write' ? concludeRecorded(scope, recorded) : null;
  }

  /** Runs work that sends nothing: code in the sandbox, a document in the parser. */
  async #compute(scope: ExecutionScope, shown: Pick<Finding, 'before' | 'after'>): Promise<Judged> {
    const { node } = scope.execution;
    try {
      const result = await getKind(node.type).run(this.#buildCall(scope));
      if (result.outcome !== 'completed') throw new Error(`A ${node.type} cannot wait`);
      return concludeSuccess(scope, toSuccess(result), 0);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof CannotWork) {
        this.#note('asks', scope.execution, shown);
        return null;
      }
      return concludeFailure(scope, toNodeError(error), 1);
    }
  }

  /** Notes a request that is the same, while its answer is read in another way. */
  #compareReading(execution: NodeExecution, asked: Ask | Unprepared): void {
    const before = this.#before?.asks.get(toPlace(execution));
    if (before === undefined || 'failure' in asked || before.settings === asked.settings) return;
    this.#note('reads', execution, { before: before.shown, after: asked.shown });
  }

  /** Keeps what a question asks, and notes a recorded answer that is none of its answers any more. */
  compareQuestion(execution: NodeExecution, question: Question, { output, status }: RecordedStep): void {
    const { kind, title, message, payload, form, actions, assignees } = question;
    const key = JSON.stringify({ kind, title, message, payload, form, actions, assignees });
    const shown = this.#context.redaction.json({ question: JSON.parse(key) as Json });
    const ask: Ask = { key, settings: '', kind: 'none', shown };
    this.asks.set(toPlace(execution), ask);
    if (this.#before === null) return;
    const action = readAction(output);
    const isKnown = action === null || actions.length === 0 || actions.some(({ id }) => id === action);
    if (status === 'failed' || isKnown) return;
    this.#note('answer', execution, { before: action, after: actions.map(({ id }) => id) });
  }

  #note(kind: Finding['kind'], execution: NodeExecution, shown: Pick<Finding, 'before' | 'after'>): void {
    const { node, visit, item } = execution;
    this.findings.push({ kind, nodeId: node.id, visit, itemIndex: item?.index ?? -1, ...shown });
  }

  #buildCall(scope: ExecutionScope) {
    return buildCall(scope, { tools: this.#tools, signal: this.#signal, ...PREPARES_ALONE });
  }
}

/** The place of an execution in both walks. */
export const toPlace = ({ node, visit, item }: NodeExecution): string =>
  toPlaceKey(node.id, { visit, itemIndex: item?.index ?? -1 });

const readAction = (output: Json): string | null => {
  const action =
    typeof output === 'object' && output !== null && !Array.isArray(output) ? output['action'] : null;
  return typeof action === 'string' ? action : null;
};

/** Reads a text of the fields of an error. */
export const readText = (text: Json | undefined, otherwise: string): string =>
  typeof text === 'string' ? text : otherwise;

/** Concludes an execution as its record says, in the definition of the walk. */
export function concludeRecorded(scope: ExecutionScope, recorded: RecordedStep): Conclusion {
  const { status, output, handle, error } = recorded;
  if (status !== 'failed')
    return conclude(scope, () =>
      concludeSuccess(scope, toSuccess({ outcome: 'completed', output, handle: handle ?? 'default' }), 0),
    );
  const { status: httpStatus, retryable, attempts } = error ?? {};
  const failure = new NodeError(readText(error?.['code'], 'node_failed'), readText(error?.['message'], ''), {
    status: typeof httpStatus === 'number' ? httpStatus : null,
    retryable: retryable === true,
    response: readErrorResponse(error),
  });
  return concludeFailure(scope, failure, typeof attempts === 'number' ? attempts : 1);
}

/** @param work may fail, which fails the execution */
function conclude(scope: ExecutionScope, work: () => Conclusion): Conclusion {
  try {
    return work();
  } catch (error) {
    return concludeFailure(scope, toNodeError(error), 1);
  }
}
