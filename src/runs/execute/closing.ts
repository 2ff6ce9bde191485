/** The end of a segment: completed, failed, or interrupted by questions. Written with the advance that reaches it. */
import { MILLICREDITS } from '../../billing/plans.ts';
import { usedByRun } from '../../billing/usage.ts';
import { EDGE } from '../../graph/schedule.ts';
import type { Progress } from '../../graph/schedule.ts';
import { END_INDEX } from '../../graph/definition.ts';
import { referencesIn, render } from '../../graph/template.ts';
import { setOwn } from '../../graph/value.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { WHOLE_STATE } from '../../graph/roots.ts';
import type { RunFailure } from './protocol.ts';
import { asNodeError } from './conclusion.ts';
import { cut, nodeEvent } from './frames.ts';
import type { AdvanceWrites } from './advance-writes.ts';
import { cancelQuestions, pendingQuestions, questionFields } from './questions.ts';
import { ExecutionScope } from './run-context.ts';
import type { NodeExecution, RunContext } from './run-context.ts';

/** Characters of the output that history lists show. */
const SUMMARY_LENGTH = 200;

interface Totals {
  readonly usage: JsonObject | null;
  /** Of this segment alone, its sub-workflows included: each segment is charged when it ends. */
  readonly credits: number;
  readonly handled: number;
}

/** Sums: what models used and how many failures were handled in the whole run, and what this segment has cost. */
async function totals(context: RunContext, writes: AdvanceWrites): Promise<Totals> {
  const { handledInAll } = writes;
  if (handledInAll !== null) return { usage: null, credits: 0, handled: handledInAll };
  await writes.flush(context);
  const rows = await context.sql.query<{
    input: number | null;
    output: number | null;
    total: number | null;
    handled: number;
    mc: number;
  }>(
    `SELECT sum((usage->>'input_tokens')::bigint)::bigint AS input, sum((usage->>'output_tokens')::bigint)::bigint AS output,
            sum((usage->>'total_tokens')::bigint)::bigint AS total, count(*) FILTER (WHERE error_handled)::int AS handled,
            ${usedByRun('$2::uuid')} AS mc
     FROM run_steps WHERE root_run_pk = $1`,
    [context.segment.rootRunPk, context.segment.runPk],
  );
  const row = rows[0];
  const used = row !== undefined && row.total !== null;
  return {
    usage: used
      ? { input_tokens: row.input ?? 0, output_tokens: row.output ?? 0, total_tokens: row.total ?? 0 }
      : null,
    credits: (row?.mc ?? 0) / MILLICREDITS,
    handled: row?.handled ?? 0,
  };
}

/** A scope for `config.output`: what any node at the end of the run could see. */
function endScope(context: RunContext): ExecutionScope | null {
  const node = context.ready.plan.nodes[0];
  if (node === undefined) return null;
  const execution: NodeExecution = {
    node,
    visit: 0,
    depth: 0,
    position: 0,
    iteration: null,
    loop: {},
    stepId: context.segment.runPk,
    attempt: 1,
    item: null,
  };
  return new ExecutionScope(context, execution);
}

/** The run's output: `config.output`, else the one node that reached the end, else all that did by their ids (2.11). */
async function outputOf(context: RunContext, progress: Progress): Promise<Json> {
  const { plan } = context.ready;
  if (plan.output !== undefined) {
    const needsState = referencesIn(plan.output).references.length > 0;
    if (needsState) await context.values.load(['input', WHOLE_STATE]);
    const scope = endScope(context);
    return scope === null ? null : render(plan.output, scope.with());
  }
  const sources = plan.nodes.filter((node) =>
    node.out.some((edge) => plan.edges[edge]?.target === END_INDEX && progress.edges[edge] === EDGE.taken),
  );
  await context.values.load(sources.map((node) => node.id));
  const [only, ...others] = sources;
  if (only === undefined) return null;
  if (others.length === 0) return context.values.output(only.id) ?? null;
  const output: JsonObject = {};
  for (const node of sources) setOwn(output, node.id, context.values.output(node.id) ?? null);
  return output;
}

/** Cut between two characters: half of one cannot be stored. */
const summarize = (output: Json): string =>
  (typeof output === 'string' ? output : JSON.stringify(output))
    .slice(0, SUMMARY_LENGTH)
    .replace(/[\uD800-\uDBFF]$/u, '');

/** Closes the segment as completed; or as failed, when its output cannot be made. */
export async function closeCompleted(
  context: RunContext,
  progress: Progress,
  writes: AdvanceWrites,
): Promise<RunFailure | null> {
  let output: Json;
  try {
    output = await outputOf(context, progress);
  } catch (error) {
    const failure = asNodeError(error);
    return closeFailed(context, { code: failure.code, message: failure.message, nodeId: null }, writes);
  }
  const { usage, credits, handled } = await totals(context, writes);
  writes.close({
    runPk: context.segment.runPk,
    from: ['running'],
    status: 'completed',
    payload: { ...cut('output', output), usage, credits, handled_error_count: handled },
    output,
    outputSummary: output === null ? null : summarize(output),
    usage,
    handledErrorCount: handled,
  });
  return null;
}

/** Closes the segment as failed; questions of the run that are still open can no longer be answered. */
export async function closeFailed(
  context: RunContext,
  failure: RunFailure,
  writes: AdvanceWrites,
): Promise<RunFailure> {
  if (context.ready.asks) await cancelQuestions(context.sql, context.segment.rootRunPk);
  const { usage, credits, handled } = await totals(context, writes);
  const error: JsonObject = { code: failure.code, message: failure.message, node_id: failure.nodeId };
  writes.close({
    runPk: context.segment.runPk,
    from: ['running', 'interrupted'],
    status: 'failed',
    payload: { error, usage, credits, handled_error_count: handled },
    error,
    usage,
    handledErrorCount: handled,
  });
  return failure;
}

/** Pauses the run: its stream ends with the questions that it waits for, those of earlier segments included. */
export async function closeInterrupted(context: RunContext, writes: AdvanceWrites): Promise<void> {
  await writes.flush(context);
  const pending = await pendingQuestions(context.sql, context.segment.rootRunPk);
  for (const row of pending) {
    if (row.run_pk === context.segment.runPk) continue;
    const node = context.ready.nodeById.get(row.node_id);
    if (node === undefined) continue;
    const execution: NodeExecution = {
      node,
      visit: row.visit,
      depth: 0,
      position: 0,
      iteration: null,
      loop: {},
      stepId: row.step_id,
      attempt: 1,
      item: null,
    };
    writes.event(nodeEvent('interrupt', execution, questionFields(row)));
  }
  const { usage, handled } = await totals(context, writes);
  writes.close({
    runPk: context.segment.runPk,
    from: ['running'],
    status: 'interrupted',
    payload: {
      interrupts: pending.map((row) => ({ node_id: row.node_id, ...questionFields(row) })),
      usage,
      handled_error_count: handled,
    },
    usage,
    handledErrorCount: handled,
  });
}
