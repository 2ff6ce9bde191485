/**
 * Concludes node executions: the edges taken, the output, the state updates and the events. The same for folded nodes, activities,
 * maps, children and answered questions.
 */
import { cutText } from '../../../language/graph/values/cut-text.ts';
import type { OnError } from '../../../language/graph/definition/definition.ts';
import { countJsonBytes } from '../../../language/graph/definition/definition-size.ts';
import { resolveHandle, hasHandle } from '../../../language/graph/definition/handles.ts';
import { evaluateRules } from '../../../language/graph/template/rules.ts';
import { toStorableText } from '../../../language/graph/values/storable.ts';
import { reduceField } from '../../../language/graph/definition/state.ts';
import { RenderTooLarge, countJsonChars } from '../../../language/graph/template/render-budget.ts';
import { render } from '../../../language/graph/template/template.ts';
import { isObject, setOwn } from '../../../language/graph/values/value.ts';
import { EDGE_WORK, WorkBudget, WorkLimitExceeded } from '../../../language/graph/values/work-budget.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { NewEvent } from '../ledger/write/events.ts';
import type { StepRow } from '../ledger/write/steps.ts';
import { listMarks, type StepMark } from './marks.ts';
import { closeAttempt, omitResponse } from './step.ts';
import { ShareFull, StateTooLarge } from './values.ts';
import type { ExecutionScope, NodeExecution } from './context.ts';
import { FilterError } from '../../../language/graph/filters/filter.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type { NodeResult, NodeWarning } from '../../../language/nodes/kind.ts';
import { PatternSearch } from '../../../language/nodes/pattern.ts';
import type { Usage } from '../../../language/nodes/tools.ts';
import { scrub } from '../../../base/scrub.ts';
import type { NodeOutcome } from '../execute/protocol.ts';
import { toFrameError, toFrameValue, buildNodeEvent } from './frames.ts';
import { createInternalError } from './internal-error.ts';

/** A node's output may be this large; above it the node fails (SPEC REL-R80). */
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_MESSAGE = 2_000;

interface Success {
  readonly output: Json;
  readonly handle: string;
  readonly input: Json;
  readonly usage: Usage | null;
  /** Of all attempts of the execution. */
  readonly credits: number;
  readonly logs: readonly string[];
  readonly warnings: readonly NodeWarning[];
}

export interface Conclusion {
  readonly outcome: NodeOutcome;
  readonly status: 'succeeded' | 'failed';
  readonly output: Json;
  /** Of the output as JSON. */
  readonly outputBytes: number;
  readonly error: JsonObject | null;
  readonly handled: boolean;
  readonly handle: string | null;
  /** Updates of fields of the state, before their reducers; null: none. */
  readonly updates: JsonObject | null;
  readonly warnings: readonly NodeWarning[];
  readonly events: readonly NewEvent[];
  readonly marks: readonly StepMark[];
}

/** Fills the defaults of a completed result. */
export function toSuccess(result: NodeResult & { outcome: 'completed' }): Success {
  return {
    output: result.output,
    handle: result.handle ?? 'default',
    input: result.input ?? null,
    usage: result.usage ?? null,
    credits: 0,
    logs: result.logs ?? [],
    warnings: result.warnings ?? [],
  };
}

/** Writes a conclusion into its step. @param now milliseconds since 1970 */
export function concludeStep(step: StepRow, conclusion: Conclusion, now: number): void {
  const at = new Date(now).toISOString();
  closeAttempt(step, conclusion, at);
  step.status = conclusion.status;
  step.output = conclusion.output;
  step.error = conclusion.error;
  step.error_handled = conclusion.handled;
  step.selected_handle = conclusion.handle;
  step.warnings = [...conclusion.warnings];
  step.updates = conclusion.updates;
  if (conclusion.marks.length > 0) step.marks = conclusion.marks;
  step.outcome = { taken: conclusion.outcome.taken, failed: conclusion.outcome.failed };
  step.completed_at = at;
}

/**
 * Converts anything that a node's work throws to a NodeError; a bug becomes `internal_error` without its text.
 * @throws ShareFull unchanged: it says nothing about the node, whose work begins again
 */
export function toNodeError(error: unknown): NodeError {
  if (error instanceof ShareFull) throw error;
  if (error instanceof NodeError) return error;
  if (error instanceof RenderTooLarge) return new NodeError('output_too_large', error.message);
  if (error instanceof FilterError) return new NodeError('invalid_filter_value', error.message);
  if (error instanceof StateTooLarge) return new NodeError('state_too_large', error.message);
  if (error instanceof WorkLimitExceeded) return new NodeError('work_limit_exceeded', error.message);
  return createInternalError(error);
}

/** Builds the fields of an error for steps, events and templates. */
export function buildErrorFields(error: NodeError, attempts: number): JsonObject {
  return {
    code: error.code,
    message: toStorableText(cutText(scrub(error.message), MAX_MESSAGE)),
    type: error.name,
    status: error.status,
    retryable: error.retryable,
    attempts,
    ...(error.response === null ? {} : { response: { ...error.response } }),
  };
}

/** Measures an output as JSON, in bytes, before it is serialized. @throws NodeError `output_too_large` */
export function measureOutput(output: Json): number {
  const bytes =
    countJsonChars(output, MAX_OUTPUT_BYTES) > MAX_OUTPUT_BYTES ? Infinity : countJsonBytes(output);
  if (bytes > MAX_OUTPUT_BYTES) throw buildTooLargeError();
  return bytes;
}

export const buildTooLargeError = (): NodeError =>
  new NodeError('output_too_large', `The output is larger than ${MAX_OUTPUT_BYTES} bytes`);

/**
 * Concludes a success. Reads and writes `context.values` (its roots must be loaded).
 * @throws NodeError when its state updates or edge conditions cannot be evaluated, or its output is too large
 */
export function concludeSuccess(scope: ExecutionScope, success: Success, durationMs: number): Conclusion {
  const { context, execution } = scope;
  const { node } = execution;
  const { edges } = context.ready.plan;
  // Work is redacted where it ends; this holds for values that no work has made, such as the answer to a question.
  const output = context.redaction.json(success.output, scope.redactionWork);
  const outputBytes = measureOutput(output);
  if (node.type === 'guardrails' && success.handle === 'fail' && !hasHandle(node, edges, 'fail')) {
    throw new NodeError('guardrail_blocked', 'A guardrail blocked the input');
  }
  const isPart = isPartOfNode(execution);
  // A disabled node has no value, like a skipped one.
  if (!isPart) scope.end(node.disabled ? undefined : output);
  const { undo, updates } = isPart ? NO_UPDATES : applyStateUpdates(scope);
  let taken: number[] = [];
  try {
    if (!isPart) taken = chooseEdges(scope, success.handle);
  } catch (error) {
    // A node whose edges fail changes nothing.
    for (const { name, before } of undo) context.values.setField(name, before);
    throw error;
  }
  const warnings = [...success.warnings, ...scope.warnings];
  const events = [
    buildNodeEvent('node_completed', execution, {
      ...toFrameValue('output', output, outputBytes),
      selected_handle: success.handle,
      duration_ms: durationMs,
      usage: success.usage === null ? null : { ...success.usage },
      credits: success.credits,
      warnings,
    }),
  ];
  if (undo.length > 0) {
    events.push(buildNodeEvent('state_updated', execution, { fields: undo.map(({ name }) => name) }));
  }
  return {
    outcome: { taken, failed: false },
    status: 'succeeded',
    output,
    outputBytes,
    error: null,
    handled: false,
    handle: success.handle,
    updates,
    warnings,
    events,
    marks: listMarks(scope, 'done'),
  };
}

/** Concludes a failure without further attempts, by the node's `on_error` (SPEC DEF-2.13). Never throws. */
export function concludeFailure(scope: ExecutionScope, failure: NodeError, attempts: number): Conclusion {
  const { execution } = scope;
  const { node } = execution;
  const error = buildErrorFields(failure, attempts);
  const policy = chooseErrorPolicy(execution);
  const { redaction } = scope.context;
  const isPart = isPartOfNode(execution);
  // No template reads the output of an item or a call, and a node may have thousands.
  const shown = isPart ? omitResponse(error) : error;
  const output =
    policy === 'continue'
      ? addError(redaction.json(node.defaultOutput, scope.redactionWork), shown)
      : { error: shown };
  const handle = policy === 'fail' ? null : policy === 'branch' ? 'error' : 'default';
  let taken: number[] | null = null;
  if (!isPart) {
    scope.end(output, true);
    if (handle !== null) taken = chooseEdgesAfterFailure(scope, handle);
  } else if (handle !== null) taken = [];
  const handled = taken !== null;
  return {
    outcome: { taken: taken ?? [], failed: !handled },
    status: 'failed',
    output,
    outputBytes: countJsonBytes(output),
    error,
    handled,
    handle: handled ? handle : null,
    updates: null,
    warnings: scope.warnings,
    events: [
      buildNodeEvent('node_failed', execution, {
        error: toFrameError(error),
        handled,
        on_error: policy,
      }),
    ],
    marks: failure.code === 'outcome_unknown' ? listMarks(scope, 'unknown') : [],
  };
}

/** True for an item and a tool call, whose end takes no edges and changes no state. */
const isPartOfNode = ({ item, toolCall }: NodeExecution): boolean => item !== null || toolCall !== undefined;

/** Chooses what follows an error; the model of the agent gets the error of a tool. */
function chooseErrorPolicy({ node, item, toolCall }: NodeExecution): OnError {
  if (toolCall !== undefined) return 'continue';
  if (item === null) return node.onError;
  return node.forEach?.onItemError === 'fail' ? 'fail' : 'continue';
}

/** @returns null when a condition of an edge cannot be evaluated: the failure is not handled then */
function chooseEdgesAfterFailure(scope: ExecutionScope, handle: string): number[] | null {
  try {
    return chooseEdges(scope, handle);
  } catch {
    return null;
  }
}

function addError(defaultOutput: Json, error: JsonObject): JsonObject {
  if (isObject(defaultOutput)) return { ...defaultOutput, error };
  return defaultOutput === null ? { error } : { value: defaultOutput, error };
}

/** Chooses the edges of a handle whose condition is true, as positions in `node.out`. */
function chooseEdges(scope: ExecutionScope, handle: string): number[] {
  const { node } = scope.execution;
  const { plan, patterns } = scope.context.ready;
  const { edges } = plan;
  const wanted = resolveHandle(node, edges, handle);
  const taken: number[] = [];
  const search = new PatternSearch(patterns, new WorkBudget(EDGE_WORK));
  node.out.forEach((index, position) => {
    const edge = edges[index];
    if (edge === undefined || edge.handle !== wanted) return;
    const holds =
      edge.when === null ||
      evaluateRules(
        edge.when,
        (side, mayMiss) => render(side, scope.forSide(mayMiss, {}, search.work)),
        search,
      );
    if (holds) taken.push(position);
  });
  return taken;
}

interface StateUpdates {
  /** The changed fields with their values before. */
  readonly undo: readonly { readonly name: string; readonly before: Json | undefined }[];
  readonly updates: JsonObject | null;
}
const NO_UPDATES: StateUpdates = { undo: [], updates: null };

/** Applies the node's state updates through the reducers of their fields. */
function applyStateUpdates(scope: ExecutionScope): StateUpdates {
  const { values, ready, redaction } = scope.context;
  const templates = Object.entries(scope.execution.node.stateUpdates);
  if (templates.length === 0) return NO_UPDATES;
  const rendered: JsonObject = {};
  for (const [name, template] of templates) {
    setOwn(rendered, name, render(template, scope.with()));
  }
  const redacted = redaction.json(rendered, scope.redactionWork);
  const undo = Object.entries(redacted).flatMap(([name, update]) => {
    const field = ready.plan.fields[name];
    if (field === undefined) return [];
    const before = values.field(name);
    values.setField(name, reduceField(field, before, update));
    return [{ name, before }];
  });
  return { undo, updates: redacted };
}
