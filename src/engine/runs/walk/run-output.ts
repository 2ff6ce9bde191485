/** The output of a walk that has reached its end. */
import { EDGE, type Progress } from '../../../language/graph/schedule/schedule.ts';
import { END_INDEX } from '../../../language/graph/definition/definition.ts';
import { findReferences, render } from '../../../language/graph/template/template.ts';
import { WHOLE_STATE } from '../../../language/graph/template/roots.ts';
import { setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { NodeWarning } from '../../../language/nodes/kind.ts';
import { ExecutionScope, type NodeExecution, type WalkContext } from './context.ts';

/** Creates the scope of `config.output`: all values that a node before the end of the run could see. */
function createEndScope(context: WalkContext): ExecutionScope | null {
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

interface RunOutput {
  readonly output: Json;
  /** Of the template `config.output`: paths that do not exist. */
  readonly warnings: readonly NodeWarning[];
}

/**
 * Loads what the run's output reads: `config.output`, else the output of the only node before the end, else the outputs of all such
 * nodes by id (2.11).
 * @returns renders the output
 */
export async function loadRunOutput(context: WalkContext, progress: Progress): Promise<() => RunOutput> {
  const { plan } = context.ready;
  const { output: template } = plan;
  if (template !== undefined) {
    const needsState = findReferences(template).references.length > 0;
    if (needsState) await context.values.load(['input', WHOLE_STATE]);
    const scope = createEndScope(context);
    return () =>
      scope === null
        ? { output: null, warnings: [] }
        : { output: render(template, scope.with()), warnings: scope.warnings };
  }
  const sources = plan.nodes.filter((node) =>
    node.out.some((edge) => plan.edges[edge]?.target === END_INDEX && progress.edges[edge] === EDGE.taken),
  );
  await context.values.load(sources.map((node) => node.id));
  return () => {
    const [only, ...others] = sources;
    if (only === undefined) return { output: null, warnings: [] };
    if (others.length === 0) return { output: context.values.output(only.id) ?? null, warnings: [] };
    const output: JsonObject = {};
    for (const node of sources) setOwn(output, node.id, context.values.output(node.id) ?? null);
    return { output, warnings: [] };
  };
}

/** Renders the output of a walk that has reached its end. @throws what a template throws */
export async function renderRunOutput(context: WalkContext, progress: Progress): Promise<RunOutput> {
  const renderOutput = await loadRunOutput(context, progress);
  return renderOutput();
}
