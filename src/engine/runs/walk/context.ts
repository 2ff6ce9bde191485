/** The context of a walk, and the values that the executions of its nodes can read. */
import type { Clock } from '../../../base/clock.ts';
import type { PlanNode } from '../../../language/graph/schedule/plan.ts';
import type { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { evaluateRules } from '../../../language/graph/template/rules.ts';
import { seedState } from '../../../language/graph/definition/state.ts';
import { render, renderText, type TemplateScope } from '../../../language/graph/template/template.ts';
import { RenderBudget } from '../../../language/graph/template/render-budget.ts';
import { REDACTION_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { WHOLE_STATE } from '../../../language/graph/template/roots.ts';
import type { CallableTool } from '../../../language/nodes/agent/agent-tool.ts';
import type { RequestedCall } from '../../../language/nodes/agent/offer.ts';
import type { EffectRule } from '../../../language/nodes/effect-rules.ts';
import { PatternSearch } from '../../../language/nodes/pattern.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type { NodeCall, NodeIdentity, NodeWarning } from '../../../language/nodes/kind.ts';
import type { CallbackPlace } from '../ledger/questions/callback-answers.ts';
import type { RunInputs, Segment } from '../ledger/write/segments.ts';
import { buildAdmit } from './admit.ts';
import type { EffectFollower } from './folded-call.ts';
import type { ReadyPlan } from './ready-plan.ts';
import type { Values } from './values.ts';

/** The parts of a segment that its nodes can tell from another. */
export type WalkSegment = Pick<
  Segment,
  | 'organizationId'
  | 'rootRunPk'
  | 'runPk'
  | 'runId'
  | 'threadId'
  | 'createdBy'
  | 'workflowId'
  | 'workflowName'
  | 'triggerType'
  | 'createdAt'
  | 'recursionLimit'
>;

/** All that a walk reads; a run has more (`execute/context.ts`). */
export interface WalkContext {
  readonly clock: Clock;
  readonly segment: WalkSegment;
  readonly ready: ReadyPlan;
  readonly values: Values;
  /** The paths that were named when the run was accepted. */
  readonly redaction: Redaction;
  /** Of its organization. */
  readonly effectRules: readonly EffectRule[];
  /** Builds the URL at which another service answers a callback. */
  readonly callbackUrl: (place: CallbackPlace) => string;
}

/** A tool call of an agent. */
export interface ToolCall {
  readonly turn: number;
  readonly call: number;
  /** The step of the agent. */
  readonly agentStepId: string;
  readonly request: RequestedCall;
  /** As it was offered; null: the model cannot call this. */
  readonly tool: CallableTool | null;
  /** The question whose approval allows it as it was shown; null: none, or its arguments were edited. */
  readonly approvedBy: string | null;
}

/** One execution of a node, of one item of a mapped node, or of a tool that an agent calls. */
export interface NodeExecution {
  readonly node: PlanNode;
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
  readonly iteration: number | null;
  readonly loop: Readonly<Record<string, number>>;
  readonly stepId: string;
  readonly attempt: number;
  /** The item of a map, or null. */
  readonly item: { readonly index: number; readonly value: Json; readonly parentStepId: string } | null;
  /** Then `node` is the agent's, with the kind, the name and the policy of the tool, and without its edges. */
  readonly toolCall?: ToolCall;
}

/** Gives the declared fields their first values (SPEC DEF-2.12). */
export function seedValues(
  { ready, values, redaction }: WalkContext,
  { workflowInput, runInput, merged }: RunInputs,
): void {
  const seeded = seedState(ready.plan.fields, workflowInput ?? {}, runInput ?? {});
  values.begin(merged, redaction.json({ ...seeded.free, ...seeded.fields }));
}

/**
 * Loads what a node's templates, its state updates and the reducers of its fields need. Values that are too large throw when they
 * are read. @throws ShareFull, see ValueShare
 */
export async function loadStateFor(context: WalkContext, node: PlanNode): Promise<void> {
  const names = context.ready.roots[node.index] ?? [WHOLE_STATE];
  await context.values.load([...names, ...Object.keys(node.stateUpdates)]);
}

/** Loads the state for the end of a node, when its state updates or edge conditions read it. */
export async function loadStateForEnd(context: WalkContext, node: PlanNode): Promise<void> {
  if (readsStateAtEnd(context, node) || node.forEach !== null) await loadStateFor(context, node);
}

/** True when the end of a node reads the state. */
export function readsStateAtEnd({ ready }: Pick<WalkContext, 'ready'>, node: PlanNode): boolean {
  const { edges } = ready.plan;
  return (
    Object.keys(node.stateUpdates).length > 0 ||
    ready.markings.has(node.id) ||
    node.out.some((edge) => (edges[edge]?.when ?? null) !== null)
  );
}

function buildIdempotencyKey({ rootRunPk }: WalkSegment, execution: NodeExecution): string {
  const { node, visit, item, toolCall } = execution;
  const itemPart = item === null ? '' : `:${item.index}`;
  const callPart = toolCall === undefined ? '' : `:${toolCall.turn}.${toolCall.call}`;
  return `${rootRunPk}:${node.id}:${visit}${itemPart}${callPart}`;
}

function buildIdentity(segment: WalkSegment, execution: NodeExecution): NodeIdentity {
  return {
    organizationId: segment.organizationId,
    runId: segment.runId,
    runPk: segment.runPk,
    rootRunPk: segment.rootRunPk,
    threadId: segment.threadId,
    createdBy: segment.createdBy,
    nodeId: execution.node.id,
    stepId: execution.stepId,
    attempt: execution.attempt,
    idempotencyKey: buildIdempotencyKey(segment, execution),
  };
}

/** The key under which templates read the address of a callback. */
const CALLBACK_URL = 'callback_url';

function isCallback({ nodeById }: ReadyPlan, nodeId: string): boolean {
  const node = nodeById.get(nodeId);
  return node?.type === 'interrupt' && node.config['kind'] === 'callback';
}

/** The roots that templates of this execution read (SPEC DEF-2.14), and the warnings of these reads. */
export class ExecutionScope<Context extends WalkContext = WalkContext> {
  readonly warnings: NodeWarning[] = [];
  readonly context: Context;
  readonly execution: NodeExecution;
  /** Redaction counts here, that of all items of a node together. */
  readonly redactionWork: WorkBudget;
  readonly #budget: RenderBudget;
  /** Null: the execution has not ended. */
  #ended: { readonly output: Json | undefined } | null = null;

  /** @param all for an item that is folded: the scope whose budgets of work all items of the node share */
  constructor(context: Context, execution: NodeExecution, all: ExecutionScope | null = null) {
    this.context = context;
    this.execution = execution;
    this.#budget = new RenderBudget(all?.work);
    this.redactionWork = all?.redactionWork ?? new WorkBudget(REDACTION_WORK);
  }

  /**
   * Sets the output: templates of this execution read it even when a loop has started a newer visit; those of others while it is
   * the newest. Undefined: no output.
   * @param hasFailed the output is that of a failure
   */
  end(output: Json | undefined, hasFailed = false): void {
    const { node, visit } = this.execution;
    this.#ended = { output };
    this.context.values.setOutput(node.id, { visit, value: output, hasFailed });
  }

  /** `extra` adds roots, before all others. */
  with(extra: Readonly<Record<string, Json>> = {}): TemplateScope {
    return this.#over(extra, this.#budget);
  }

  /** For a side of a condition: its size does not count, its work does. @param mayMiss a missing path is no mistake */
  forSide(
    mayMiss: boolean,
    extra: Readonly<Record<string, Json>> = {},
    work: WorkBudget = this.work,
  ): TemplateScope {
    const scope = this.#over(extra, new RenderBudget(work));
    return mayMiss ? { ...scope, missing: () => undefined } : scope;
  }

  /** All work of this execution counts here. */
  get work(): WorkBudget {
    return this.#budget.work;
  }

  #over(extra: Readonly<Record<string, Json>>, budget: RenderBudget): TemplateScope {
    return {
      budget,
      root: (name, key, isField) => {
        const field = isField ? this.#field(name) : undefined;
        const value = field ?? (Object.hasOwn(extra, name) ? extra[name] : this.#value(name, key));
        return value === undefined ? { state: 'empty' } : { state: 'value', value };
      },
      missing: (reference, available) => this.#missing(reference, available),
    };
  }

  /** A field or a key of the input, which may have any name but that of a node: `state.item`, `state.run`. */
  #field(name: string): Json | undefined {
    const { values, ready } = this.context;
    return ready.nodeById.has(name) ? undefined : values.field(name);
  }

  #value(name: string, key: string | number | undefined): Json | undefined {
    const { values, segment, ready } = this.context;
    const { item, node, loop } = this.execution;
    if (item !== null) {
      if (name === 'item' || name === node.forEach?.as) return item.value;
      if (name === 'index') return item.index;
    }
    switch (name) {
      case 'input':
        return values.input();
      case 'state':
        return values.state();
      case 'run':
        return buildRunRoot(segment);
      case 'loop':
        return buildLoopRoot(loop);
      default:
        if (key === CALLBACK_URL && isCallback(ready, name))
          return { [CALLBACK_URL]: this.#callbackUrl(name) };
        if (!ready.nodeById.has(name)) return values.field(name);
        // A failure that was handled is no value: its error is read by name.
        if (key === undefined && values.isFailure(name)) return undefined;
        return this.#ended !== null && name === node.id ? this.#ended.output : values.output(name);
    }
  }

  /** Before a callback waits, its next visit; the numbers of visits have no gaps, because skipped ones count. */
  #callbackUrl(nodeId: string): string {
    const { values, segment, callbackUrl } = this.context;
    const { node, visit } = this.execution;
    const { organizationId, rootRunPk } = segment;
    const next = node.id === nodeId ? visit : values.lastVisit(nodeId) + 1;
    return callbackUrl({ organizationId, rootRunPk, nodeId, visit: next });
  }

  #missing(reference: string, available: string[]): void {
    if (this.context.ready.plan.strictTemplates) {
      throw new NodeError('missing_path', `The path ${reference} does not exist`);
    }
    if (this.warnings.length >= 50 || this.warnings.some((warning) => warning['reference'] === reference))
      return;
    this.warnings.push({
      code: 'missing_path',
      message: `${reference} does not exist`,
      reference,
      available,
    });
  }
}

function buildRunRoot(segment: WalkSegment): JsonObject {
  return {
    id: segment.runId,
    thread_id: segment.threadId,
    workflow_id: segment.workflowId,
    workflow_name: segment.workflowName,
    started_at: segment.createdAt.toISOString(),
    trigger_type: segment.triggerType,
  };
}

function buildLoopRoot(loop: Readonly<Record<string, number>>): JsonObject {
  const root: JsonObject = {};
  for (const [id, iteration] of Object.entries(loop)) setOwn(root, id, { iteration });
  return root;
}

/** Builds the call that a kind of node gets: config, templates, tools, and the stream. */
export function buildCall(
  scope: ExecutionScope,
  live: Pick<NodeCall<unknown>, 'signal' | 'tools' | 'emit' | 'hold' | 'keepInput' | 'spend'> & {
    readonly effects: EffectFollower;
  },
): NodeCall<unknown> {
  const { context, execution } = scope;
  const { tools } = live;
  const patterns = new PatternSearch(tools.patterns, scope.work);
  return {
    config: context.ready.configs[execution.node.index],
    identity: buildIdentity(context.segment, execution),
    render: (value, extra, mayMiss = false) =>
      render(value, mayMiss ? scope.forSide(true, extra) : scope.with(extra)),
    renderText: (template, encode, extra) => renderText(template, scope.with(extra), encode),
    evaluate: (rules, extra, mayAllMiss = false) =>
      evaluateRules(
        rules,
        (side, mayMiss) => render(side, scope.forSide(mayMiss || mayAllMiss, extra)),
        patterns,
      ),
    patterns,
    get signal() {
      return live.signal;
    },
    tools,
    emit: live.emit,
    hold: live.hold,
    admit: buildAdmit(context, execution, live),
    follow: (...followed) => live.effects.follow(...followed),
    keepInput: live.keepInput,
    spend: live.spend,
  };
}
