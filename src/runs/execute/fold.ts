/**
 * A pure node inside the interpreter's local activity: runs at once, and leaves a step and events exactly as if it
 * had run alone. Questions and waits are opened here too; they end in a later advance.
 */
import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { NewEvent } from '../ledger/events.ts';
import type { Segment } from '../ledger/segments.ts';
import { endAttempt, newStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { NodeResult, Question } from '../../nodes/kind.ts';
import { kindOf } from '../../nodes/registry.ts';
import type { NodeTools } from '../../nodes/tools.ts';
import { asNodeError, concludeFailure, concludeSuccess } from './conclusion.ts';
import type { Conclusion, Success } from './conclusion.ts';
import { nodeEvent } from './frames.ts';
import { itemsOf, joinItems } from './items.ts';
import type { ItemResult } from './items.ts';
import { SILENT, buildCall } from './node-call.ts';
import { ExecutionScope, loadFor } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

export interface Folded {
  readonly steps: readonly StepRow[];
  readonly events: readonly NewEvent[];
  readonly end:
    | { readonly kind: 'settled'; readonly conclusion: Conclusion }
    | { readonly kind: 'asked'; readonly question: Question; readonly step: StepRow }
    | { readonly kind: 'sleeping'; readonly untilMs: number };
}

/** The step of an execution that begins now. */
export function beginStep(
  { segment }: { readonly segment: Pick<Segment, 'runPk' | 'rootRunPk'> },
  execution: NodeExecution,
): StepRow {
  const { node, item } = execution;
  return newStep(
    {
      step_id: execution.stepId,
      run_pk: segment.runPk,
      root_run_pk: segment.rootRunPk,
      node_id: node.id,
      node_type: node.type,
      node_name: node.name,
      visit: execution.visit,
      item_index: item?.index ?? -1,
      parent_step_id: item?.parentStepId ?? null,
      iteration: execution.iteration,
      depth: execution.depth,
      position: execution.position,
      effect: node.policy.effect,
    },
    new Date().toISOString(),
  );
}

/** Writes a conclusion into its step. */
export function concludeStep(step: StepRow, conclusion: Conclusion): void {
  const now = new Date().toISOString();
  endAttempt(step, conclusion.status, conclusion.error, now);
  step.status = conclusion.status;
  step.output = conclusion.output;
  step.error = conclusion.error;
  step.error_handled = conclusion.handled;
  step.selected_handle = conclusion.handle;
  step.warnings = [...conclusion.warnings];
  step.outcome = { taken: [...conclusion.outcome.taken], failed: conclusion.outcome.failed };
  step.completed_at = now;
}

/** What a completed result says, with its defaults. */
export function successOf(result: NodeResult & { outcome: 'completed' }): Success {
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

/** Runs one ready node of placement `fold`. */
export async function fold(context: RunContext, execution: NodeExecution, tools: NodeTools): Promise<Folded> {
  await loadFor(context, execution.node);
  const { node } = execution;
  if (node.disabled) return foldDisabled(context, execution);
  const step = beginStep(context, execution);
  const started = nodeEvent('node_started', execution);
  if (node.forEach !== null) return foldItems(context, execution, step, started, tools);
  const one = await foldOne(context, execution, step, tools);
  return { ...one, events: [started, ...one.events] };
}

/** A disabled node lets the run pass: its default edges are taken, its value is null. */
function foldDisabled(context: RunContext, execution: NodeExecution): Folded {
  const step = beginStep(context, execution);
  const success = successOf({ outcome: 'completed', output: null });
  const conclusion = concludeSuccess(context, execution, new ExecutionScope(context, execution), success, 0);
  concludeStep(step, conclusion);
  step.status = 'skipped';
  return {
    steps: [step],
    events: [nodeEvent('node_skipped', execution, { reason: 'disabled' })],
    end: { kind: 'settled', conclusion },
  };
}

async function foldOne(
  context: RunContext,
  execution: NodeExecution,
  step: StepRow,
  tools: NodeTools,
): Promise<Folded> {
  const { node } = execution;
  const scope = new ExecutionScope(context, execution);
  const began = performance.now();
  let conclusion: Conclusion;
  try {
    const result = node.mock === undefined ? await work(context, execution, scope, tools) : mocked(node.mock);
    if (result.outcome === 'asked') {
      step.status = 'interrupted';
      return { steps: [step], events: [], end: { kind: 'asked', question: result.question, step } };
    }
    if (result.outcome === 'waiting') {
      step.output = result.output;
      return { steps: [step], events: [], end: { kind: 'sleeping', untilMs: result.untilMs } };
    }
    if (result.outcome === 'child')
      throw new NodeError('internal_error', 'A folded node asked for a child run');
    const success = successOf(result);
    step.input = success.input;
    step.usage = success.usage as JsonObject | null;
    conclusion = concludeSuccess(context, execution, scope, success, Math.round(performance.now() - began));
  } catch (error) {
    conclusion = concludeFailure(context, execution, scope, asNodeError(error), 1);
  }
  concludeStep(step, conclusion);
  return { steps: [step], events: conclusion.events, end: { kind: 'settled', conclusion } };
}

const mocked = (output: Json): NodeResult => ({ outcome: 'completed', output });

function work(
  context: RunContext,
  execution: NodeExecution,
  scope: ExecutionScope,
  tools: NodeTools,
): Promise<NodeResult> | NodeResult {
  const { node } = execution;
  let signal: AbortSignal | null = null;
  const live = {
    // Made for those that look at it: hardly any folded node waits for anything.
    get signal() {
      signal ??= AbortSignal.timeout(node.policy.timeoutMs);
      return signal;
    },
    tools,
    emit: SILENT,
  };
  return kindOf(node.type).run(buildCall(context, execution, scope, live));
}

async function foldItems(
  context: RunContext,
  execution: NodeExecution,
  step: StepRow,
  started: NewEvent,
  tools: NodeTools,
): Promise<Folded> {
  const { forEach } = execution.node;
  const steps: StepRow[] = [step];
  const events: NewEvent[] = [started];
  const scope = new ExecutionScope(context, execution);
  const began = performance.now();
  let conclusion: Conclusion;
  try {
    if (forEach === null) throw new NodeError('internal_error', 'The node is not mapped');
    const results: ItemResult[] = [];
    for (const [index, value] of itemsOf(forEach, scope).entries()) {
      const item = { index, value, parentStepId: step.step_id };
      const itemExecution = { ...execution, stepId: randomUUID(), item };
      const itemStep = beginStep(context, itemExecution);
      const folded = await foldOne(context, itemExecution, itemStep, tools);
      steps.push(itemStep);
      events.push(nodeEvent('node_started', itemExecution), ...folded.events);
      if (folded.end.kind !== 'settled') throw new NodeError('internal_error', 'An item cannot wait');
      const { output, error, outcome } = folded.end.conclusion;
      if (outcome.failed) throw failedItem(index, error);
      results.push({ index, output, error });
    }
    const success = successOf({ outcome: 'completed', output: joinItems(forEach, results) });
    conclusion = concludeSuccess(context, execution, scope, success, Math.round(performance.now() - began));
  } catch (error) {
    conclusion = concludeFailure(context, execution, scope, asNodeError(error), 1);
  }
  concludeStep(step, conclusion);
  return { steps, events: [...events, ...conclusion.events], end: { kind: 'settled', conclusion } };
}

/** The failure of a mapped node by one of its items: the item's code and words, and which item it was. */
export function failedItem(index: number, error: JsonObject | null): NodeError {
  const code = typeof error?.['code'] === 'string' ? error['code'] : 'item_failed';
  const message = typeof error?.['message'] === 'string' ? error['message'] : 'failed';
  return new NodeError(code, `Item ${index}: ${message}`);
}
