/**
 * Folds a node: runs a pure node within an advance, with the same step and events as any other node. Questions and waits are
 * opened here and end in a later advance; the items of every mapped node are evaluated here.
 */
import { randomUUID } from 'node:crypto';
import type { ForEach } from '../../../language/graph/definition/definition.ts';
import { readList } from '../../../language/graph/values/list-value.ts';
import type { PlanNode } from '../../../language/graph/schedule/plan.ts';
import { findIteration, listIterations } from '../../../language/graph/schedule/schedule.ts';
import type { Execution, Progress } from '../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../language/graph/definition/skeleton.ts';
import { render } from '../../../language/graph/template/template.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { EffectRow } from '../ledger/write/effects.ts';
import type { NewEvent } from '../ledger/write/events.ts';
import type { StepRow } from '../ledger/write/steps.ts';
import { readErrorResponse } from '../../../language/nodes/error-response.ts';
import type { EffectFacts } from '../../../language/nodes/effect-rules.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type {
  AnswerRecipient,
  NodeCall,
  NodeResult,
  Question,
  WebhookResponse,
} from '../../../language/nodes/kind.ts';
import { getKind } from '../../../language/nodes/registry.ts';
import { nextTurn } from '../../../language/nodes/turn.ts';
import type { NodeTools } from '../../../language/nodes/tools.ts';
import {
  MAX_OUTPUT_BYTES,
  toNodeError,
  concludeFailure,
  concludeStep,
  concludeSuccess,
  toSuccess,
  buildTooLargeError,
} from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { AttemptEffects } from './effects.ts';
import { createStep } from './step.ts';
import { ExecutionScope, buildCall, loadStateFor, type NodeExecution, type WalkContext } from './context.ts';
import { redactResult } from './redact.ts';
import { buildNodeEvent } from './frames.ts';
import { FOLLOWS_NOTHING, HOLDS_NOTHING, SILENT } from './folded-call.ts';
import { createInternalError } from './internal-error.ts';

/** The work that an item costs beside its own: its step and its events, in units of WorkBudget. 10,000 items leave four fifths. */
const STEPS_PER_ITEM = 2_000;

/** The ports of folded nodes. */
interface FoldPorts {
  readonly tools: NodeTools;
  /** Counts the changes of an execution on the budgets that bind it. */
  readonly createSpend: (execution: NodeExecution) => NodeCall<unknown>['spend'];
}

interface FoldResult {
  readonly steps: readonly StepRow[];
  readonly events: readonly NewEvent[];
  /** Refused ones: a folded node sends nothing. */
  readonly effects: readonly EffectRow[];
  readonly end:
    | {
        readonly kind: 'settled';
        readonly conclusion: Conclusion;
        /** For the webhook that started the run; the items of a mapped node have none. */
        readonly response: WebhookResponse | null;
      }
    | {
        readonly kind: 'interrupted';
        readonly question: Question;
        readonly recipients: readonly AnswerRecipient[];
        readonly step: StepRow;
      }
    | { readonly kind: 'sleeping'; readonly untilMs: number };
}

/** Builds the execution of the node at `index`, as the schedule has started it. */
export function toNodeExecution(
  { ready }: Pick<WalkContext, 'ready'>,
  {
    graph,
    progress,
    index,
  }: { readonly graph: Skeleton; readonly progress: Progress; readonly index: number },
  { visit, depth, position }: Execution,
): NodeExecution {
  const node = ready.plan.nodes[index];
  if (node === undefined) throw new Error(`The plan has no node ${index}`);
  return {
    node,
    visit,
    depth,
    position,
    iteration: findIteration(graph, progress, index),
    loop: listIterations(graph, progress),
    stepId: randomUUID(),
    attempt: 1,
    item: null,
  };
}

/** Runs one ready node of placement `fold`. */
export async function fold(
  context: WalkContext,
  execution: NodeExecution,
  ports: FoldPorts,
): Promise<FoldResult> {
  await loadStateFor(context, execution.node);
  const { node } = execution;
  if (node.disabled) return foldDisabled(context, execution);
  const step = createStep(context, execution);
  const started = buildNodeEvent('node_started', execution);
  const scope = new ExecutionScope(context, execution);
  const folded = await (node.forEach === null ? foldOne(scope, step, ports) : foldItems(scope, step, ports));
  return { ...folded, events: [started, ...folded.events] };
}

/** Folds a disabled node: takes its default edges, without a value. It fails when their conditions cannot be evaluated. */
function foldDisabled(context: WalkContext, execution: NodeExecution): FoldResult {
  const step = createStep(context, execution);
  const success = toSuccess({ outcome: 'completed', output: null });
  let conclusion: Conclusion;
  let events: readonly NewEvent[];
  try {
    conclusion = concludeSuccess(new ExecutionScope(context, execution), success, 0);
    events = [buildNodeEvent('node_skipped', execution, { reason: 'disabled' })];
  } catch (error) {
    conclusion = concludeFailure(new ExecutionScope(context, execution), toNodeError(error), 1);
    events = [buildNodeEvent('node_started', execution), ...conclusion.events];
  }
  concludeStep(step, conclusion, context.clock.now());
  if (conclusion.error === null) step.status = 'skipped';
  return { steps: [step], events, effects: [], end: { kind: 'settled', conclusion, response: null } };
}

async function foldOne(scope: ExecutionScope, step: StepRow, ports: FoldPorts): Promise<FoldResult> {
  const { node } = scope.execution;
  const { clock } = scope.context;
  const beganMs = clock.monotonic();
  let conclusion: Conclusion;
  let response: WebhookResponse | null = null;
  const effects = new AttemptEffects(scope.context, scope.execution);
  try {
    if (scope.execution.item !== null) scope.work.spend(STEPS_PER_ITEM);
    let input: Json = null;
    const keepInput = (kept: Json): void => void (input = kept);
    const made =
      node.mock === undefined
        ? await runKind(scope, ports, { keepInput, effects })
        : mockNode(node, node.mock);
    const result = redactResult(
      made.outcome === 'completed' ? { ...made, input } : made,
      scope.context.redaction,
      scope.redactionWork,
    );
    if (result.outcome === 'interrupted') {
      step.status = 'interrupted';
      const { question, recipients = [] } = result;
      const end = { kind: 'interrupted', question, recipients, step } as const;
      return { steps: [step], events: [], effects: [], end };
    }
    if (result.outcome === 'waiting') {
      step.output = result.output;
      return { steps: [step], events: [], effects: [], end: { kind: 'sleeping', untilMs: result.untilMs } };
    }
    if (result.outcome === 'write') throw createInternalError('A folded node returned a write');
    if (result.outcome === 'child') throw createInternalError('A folded node returned a child run');
    const success = toSuccess(result);
    step.input = success.input;
    step.usage = success.usage;
    conclusion = concludeSuccess(scope, success, Math.round(clock.monotonic() - beganMs));
    response = result.response ?? null;
  } catch (error) {
    conclusion = concludeFailure(scope, toNodeError(error), 1);
  }
  concludeStep(step, conclusion, scope.context.clock.now());
  const end = { kind: 'settled', conclusion, response } as const;
  return { steps: [step], events: conclusion.events, effects: effects.list(), end };
}

/** The result of a node whose output is given. It leaves by the handle that this output selects, as the node would. */
function mockNode({ type, policy }: PlanNode, output: Json): NodeResult {
  const handle = getKind(type).selectHandle?.(output);
  const isKnown = handle !== undefined && policy.handles.includes(handle);
  return { outcome: 'completed', output, ...(isKnown ? { handle } : {}) };
}

function runKind(
  scope: ExecutionScope,
  { tools, createSpend }: FoldPorts,
  { keepInput, effects }: Pick<NodeCall<unknown>, 'keepInput'> & { readonly effects: AttemptEffects },
): Promise<NodeResult> | NodeResult {
  const { node } = scope.execution;
  let signal: AbortSignal | null = null;
  const live = {
    // Created on first use, because hardly any folded node waits.
    get signal() {
      signal ??= AbortSignal.timeout(node.policy.timeoutMs);
      return signal;
    },
    tools,
    emit: SILENT,
    hold: HOLDS_NOTHING,
    keepInput,
    spend: createSpend(scope.execution),
    effects: {
      follow: FOLLOWS_NOTHING.follow,
      refuse: (effect: EffectFacts): void => effects.refuse(effect),
    },
  };
  return getKind(node.type).run(buildCall(scope, live));
}

async function foldItems(scope: ExecutionScope, step: StepRow, ports: FoldPorts): Promise<FoldResult> {
  const { context, execution } = scope;
  const { forEach } = execution.node;
  const steps: StepRow[] = [step];
  const events: NewEvent[] = [];
  const effects: EffectRow[] = [];
  const { clock } = context;
  const beganMs = clock.monotonic();
  let conclusion: Conclusion;
  try {
    if (forEach === null) throw createInternalError('The node is not mapped');
    const results: ItemResult[] = [];
    // One budget for all items, because they share an advance; apart from the node's own, which its state updates need after them.
    const all = new ExecutionScope(context, execution);
    let bytes = 0;
    for (const [index, value] of evaluateItems(forEach, scope).entries()) {
      const item = { index, value, parentStepId: step.step_id };
      const itemExecution = { ...execution, stepId: randomUUID(), item };
      const itemStep = createStep(context, itemExecution);
      const itemScope = new ExecutionScope(context, itemExecution, all);
      const folded = await foldOne(itemScope, itemStep, ports);
      steps.push(itemStep);
      effects.push(...folded.effects);
      events.push(buildNodeEvent('node_started', itemExecution), ...folded.events);
      if (folded.end.kind !== 'settled') throw createInternalError('An item cannot wait');
      const { output, error, outcome, outputBytes } = folded.end.conclusion;
      if (outcome.failed) throw toItemFailure(index, error);
      bytes += outputBytes;
      if (bytes > MAX_OUTPUT_BYTES) throw buildTooLargeError();
      results.push({ index, output, error });
      // Refused work is not counted, so each further item could begin as much again.
      if (error?.['code'] === 'work_limit_exceeded') all.work.exhaust();
      else if (all.work.isTurnOver) await nextTurn(all.work);
    }
    conclusion = concludeItems(scope, results, Math.round(clock.monotonic() - beganMs));
  } catch (error) {
    conclusion = concludeFailure(scope, toNodeError(error), 1);
  }
  concludeStep(step, conclusion, scope.context.clock.now());
  const end = { kind: 'settled', conclusion, response: null } as const;
  return { steps, events: [...events, ...conclusion.events], effects, end };
}

/** Builds the failure of a mapped node from that of one of its items: its message has the index. */
export function toItemFailure(index: number, error: JsonObject | null): NodeError {
  const { code, message, status, retryable } = error ?? {};
  const words = typeof message === 'string' ? message : 'failed';
  return new NodeError(typeof code === 'string' ? code : 'item_failed', `Item ${index}: ${words}`, {
    status: typeof status === 'number' ? status : null,
    retryable: retryable === true,
    response: readErrorResponse(error),
  });
}

/**
 * Concludes a wait whose timer fired: its step has stored the output. Reads the state, whose roots must be loaded. Never throws.
 */
export function concludeWait(scope: ExecutionScope, step: StepRow): Conclusion {
  try {
    const success = toSuccess({ outcome: 'completed', output: step.output });
    return concludeSuccess(scope, success, scope.context.clock.now() - Date.parse(step.started_at));
  } catch (error) {
    return concludeFailure(scope, toNodeError(error), 1);
  }
}

/** Evaluates the items of a mapped node. @throws NodeError `invalid_items` or `too_many_items` */
export function evaluateItems(forEach: ForEach, scope: ExecutionScope): Json[] {
  const items = readList(render(forEach.items, scope.with()));
  if (items === null) throw new NodeError('invalid_items', 'for_each.items is not an array');
  if (items.length > forEach.maxItems) {
    throw new NodeError(
      'too_many_items',
      `for_each has ${items.length} items, more than ${forEach.maxItems}`,
    );
  }
  return scope.context.redaction.json(items, scope.redactionWork);
}

interface ItemResult {
  readonly index: number;
  readonly output: Json;
  readonly error: JsonObject | null;
}

/** Concludes a mapped node whose items have ended. @throws as `concludeSuccess` */
export function concludeItems(
  scope: ExecutionScope,
  results: readonly ItemResult[],
  durationMs: number,
): Conclusion {
  const { forEach } = scope.execution.node;
  if (forEach === null) throw createInternalError('The node is not mapped');
  const success = toSuccess({ outcome: 'completed', output: joinItems(forEach, results) });
  return concludeSuccess(scope, success, durationMs);
}

/** Joins the results in the order of the items; a failed item is null (`continue`) or left out (`drop`). */
function joinItems(forEach: ForEach, results: readonly ItemResult[]): JsonObject {
  const ordered = results.toSorted((a, b) => a.index - b.index);
  const kept = forEach.onItemError === 'drop' ? ordered.filter((item) => item.error === null) : ordered;
  return {
    results: kept.map((item) => (item.error === null ? item.output : null)),
    errors: ordered.flatMap((item) =>
      item.error === null ? [] : [{ index: item.index, error: item.error }],
    ),
    count: ordered.length,
  };
}
