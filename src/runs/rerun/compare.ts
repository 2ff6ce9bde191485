/** Comparison of two runs, node by node: status, duration, credits, output and branch. */
import type { Scope } from '../../access/caller.ts';
import { MILLICREDITS } from '../../billing/plans.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { END, END_INDEX } from '../../graph/definition.ts';
import { differingPlaces } from '../../graph/diff.ts';
import { compile, type Plan } from '../../graph/plan.ts';
import { sameJson, type JsonObject } from '../../graph/value.ts';
import { systemRules } from '../../nodes/registry.ts';
import { readComparable, readOutputs, type ComparableStep } from '../ledger/compared-steps.ts';
import { findPastRun, type PastRun } from '../ledger/past-run.ts';
import { readerOf } from '../ledger/run-reads.ts';

/** Nodes whose outputs are compared place by place; of any others the reply only says that they differ. */
const MAX_COMPARED = 200;
/** The most differing places of one output in a reply. */
const MAX_PLACES = 50;

interface Side {
  readonly run: PastRun;
  readonly plan: Plan | null;
  /** The last visit of each node. */
  readonly steps: ReadonlyMap<string, ComparableStep>;
}

/**
 * Compares two runs, each with all of its segments.
 * @throws ApiError 404 when the caller does not see one of them
 */
export async function compareRuns(
  { db }: { readonly db: Sql },
  scope: Scope,
  runPks: readonly [string, string],
): Promise<JsonObject> {
  const [a, b] = await Promise.all([readSide(db, scope, runPks[0]), readSide(db, scope, runPks[1])]);
  const ids = new Set([...a.steps.keys(), ...b.steps.keys()]);
  const unlike = [...ids].filter((id) => {
    const [left, right] = [a.steps.get(id), b.steps.get(id)];
    return left !== undefined && right !== undefined && left.outputDigest !== right.outputDigest;
  });
  const looked = unlike.slice(0, MAX_COMPARED);
  const stepIds = looked.flatMap((id) => [a.steps.get(id)?.stepId ?? '', b.steps.get(id)?.stepId ?? '']);
  const outputs = await readOutputs(db, stepIds);
  const differences = (
    id: string,
  ): { readonly differs: boolean; readonly places: readonly string[] | null } => {
    const left = outputs.get(a.steps.get(id)?.stepId ?? '');
    const right = outputs.get(b.steps.get(id)?.stepId ?? '');
    if (left === undefined || right === undefined) return { differs: true, places: null };
    // The digests differ with the order of keys, which is no difference.
    if (sameJson(left.output, right.output)) return { differs: false, places: [] };
    return { differs: true, places: differingPlaces(left.output, right.output).slice(0, MAX_PLACES) };
  };
  return {
    a: presentRun(a.run),
    b: presentRun(b.run),
    same_definition: a.run.subject.definitionHash === b.run.subject.definitionHash,
    nodes: [...ids].map((id): JsonObject => {
      const [left, right] = [a.steps.get(id), b.steps.get(id)];
      const { differs, places } = unlike.includes(id)
        ? differences(id)
        : { differs: (left === undefined) !== (right === undefined), places: [] };
      const [targetsA, targetsB] = [findTargets(a, left), findTargets(b, right)];
      return {
        node_id: id,
        node_name: (right ?? left)?.nodeName ?? id,
        node_type: (right ?? left)?.nodeType ?? '',
        a: presentStep(left, targetsA),
        b: presentStep(right, targetsB),
        output_differs: differs,
        differences: places === null ? null : [...places],
        branch_differs: !sameJson(targetsA, targetsB),
      };
    }),
  };
}

async function readSide(db: Sql, scope: Scope, runPk: string): Promise<Side> {
  const run = await findPastRun(db, readerOf(scope), runPk);
  if (run === null) throw notFound('Workflow run');
  const steps = await readComparable(db, run.rootRunPk);
  const plan = run.definition === null ? null : compile(run.definition, systemRules);
  return { run, plan, steps: new Map(steps.map((step) => [step.nodeId, step])) };
}

/** Finds the nodes that an execution led to; null when it has not ended, or the definition is gone. */
function findTargets({ plan }: Side, step: ComparableStep | undefined): string[] | null {
  const node = plan?.nodes.find(({ id }) => id === step?.nodeId);
  const taken = step?.outcome?.taken;
  if (plan === null || node === undefined || taken === undefined) return null;
  return taken.flatMap((position) => {
    const target = plan.edges[node.out[position] ?? -1]?.target;
    return target === undefined ? [] : [target === END_INDEX ? END : (plan.nodes[target]?.id ?? '')];
  });
}

const presentRun = (run: PastRun): JsonObject => ({
  run_pk: run.runPk,
  run_id: run.runId,
  status: run.status === 'completed' ? 'succeeded' : run.status,
  workflow_id: run.subject.workflowId,
  workflow_name: run.subject.workflowName,
  workflow_version: run.subject.workflowVersion,
});

function presentStep(step: ComparableStep | undefined, targets: readonly string[] | null): JsonObject | null {
  if (step === undefined) return null;
  return {
    step_id: step.stepId,
    status: step.status,
    visits: step.visit,
    duration_ms: step.durationMs,
    credits: step.creditsMc / MILLICREDITS,
    selected_handle: step.selectedHandle,
    took: targets === null ? null : [...targets],
    error_code: step.errorCode,
  };
}
