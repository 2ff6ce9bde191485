/** Comparison of two runs, node by node: status, duration, credits, output and branch. */
import type { Scope } from '../../../platform/access/caller.ts';
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import type { Sql } from '../../../base/db/client.ts';
import { END, END_INDEX } from '../../../language/graph/definition/definition.ts';
import { findDifferingPointers } from '../../../language/graph/definition/diff.ts';
import { compile, type Plan, type PlanNode } from '../../../language/graph/schedule/plan.ts';
import { sameJson, type JsonObject } from '../../../language/graph/values/value.ts';
import { systemRules } from '../../../language/nodes/registry.ts';
import { readComparable, readOutputs, type ComparableStep } from '../ledger/read/compared-steps.ts';
import { requirePastRun } from '../ledger/read/require-objects.ts';
import type { PastRun } from '../ledger/read/past-run.ts';

/** Nodes whose outputs are compared in detail; for other nodes the reply only says that they differ. */
const MAX_COMPARED = 200;
/** Maximum number of JSON pointers per output in a reply. */
const MAX_PLACES = 50;
/** Characters of a pointer; a longer one is cut to the pointer of an enclosing container. */
const MAX_PLACE_CHARS = 512;

interface Side {
  readonly run: PastRun;
  /** The last visit of each node. */
  readonly steps: ReadonlyMap<string, ComparableStep>;
  readonly branches: TakenBranches | null;
}

/**
 * Compares two runs, each with all of its segments.
 * @returns the reply of `compareRuns`: both runs, and each node with its last visit in either
 * @throws ApiError 404 when the caller may not see one of them
 */
export async function compareRuns(
  { db }: { readonly db: Sql },
  scope: Scope,
  runPks: readonly [string, string],
): Promise<JsonObject> {
  const [runA, runB] = await Promise.all([
    requirePastRun(db, scope, runPks[0]),
    requirePastRun(db, scope, runPks[1]),
  ]);
  const sameDefinition = runA.subject.definitionHash === runB.subject.definitionHash;
  const waysA = compileBranches(runA);
  const waysB = sameDefinition ? waysA : compileBranches(runB);
  const [a, b] = await Promise.all([readSide(db, runA, waysA), readSide(db, runB, waysB)]);
  const ids = new Set([...a.steps.keys(), ...b.steps.keys()]);
  const differences = await findDifferences(db, [a, b], [...ids]);
  return {
    a: presentRun(a.run),
    b: presentRun(b.run),
    same_definition: sameDefinition,
    nodes: [...ids].map((id): JsonObject => {
      const [left, right] = [a.steps.get(id), b.steps.get(id)];
      const { differs, places } = differences.get(id) ?? {
        differs: (left === undefined) !== (right === undefined),
        places: [],
      };
      const [targetsA, targetsB] = [
        a.branches?.listTargets(left) ?? null,
        b.branches?.listTargets(right) ?? null,
      ];
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

async function readSide(db: Sql, run: PastRun, ways: TakenBranches | null): Promise<Side> {
  const steps = await readComparable(db, run.rootRunPk);
  return { run, steps: new Map(steps.map((step) => [step.nodeId, step])), branches: ways };
}

interface OutputDifference {
  readonly differs: boolean;
  /** JSON pointers; null when the outputs were not compared in detail. */
  readonly places: readonly string[] | null;
}

/** Compares the outputs of nodes that both runs visited. */
async function findDifferences(
  db: Sql,
  [a, b]: readonly [Side, Side],
  ids: readonly string[],
): Promise<ReadonlyMap<string, OutputDifference>> {
  const unlike = ids.flatMap((id) => {
    const [left, right] = [a.steps.get(id), b.steps.get(id)];
    if (left === undefined || right === undefined || left.outputDigest === right.outputDigest) return [];
    return [{ id, stepIds: [left.stepId, right.stepId] as const }];
  });
  const outputs = await readOutputs(
    db,
    unlike.slice(0, MAX_COMPARED).flatMap(({ stepIds }) => stepIds),
  );
  return new Map(
    unlike.map(({ id, stepIds }): [string, OutputDifference] => {
      const [left, right] = [outputs.get(stepIds[0]), outputs.get(stepIds[1])];
      if (left === undefined || right === undefined) return [id, { differs: true, places: null }];
      // Digests depend on the order of keys, which does not count as a difference.
      if (sameJson(left.output, right.output)) return [id, { differs: false, places: [] }];
      const places = findDifferingPointers(left.output, right.output, MAX_PLACES).map(shortenPointer);
      return [id, { differs: true, places: [...new Set(places)] }];
    }),
  );
}

/** Shortens a pointer to that of the innermost container which fits. */
const shortenPointer = (pointer: string): string =>
  pointer.length <= MAX_PLACE_CHARS
    ? pointer
    : pointer.slice(0, Math.max(0, pointer.lastIndexOf('/', MAX_PLACE_CHARS)));

/** Finds the nodes that executions led to, in one definition. */
class TakenBranches {
  readonly #plan: Plan;
  readonly #nodes: ReadonlyMap<string, PlanNode>;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  }

  /** @returns the ids of the target nodes or `__end__`; null when the execution has not ended */
  listTargets(step: ComparableStep | undefined): string[] | null {
    const node = step === undefined ? undefined : this.#nodes.get(step.nodeId);
    const taken = step?.outcome?.taken;
    if (node === undefined || taken === undefined) return null;
    return taken.flatMap((position) => {
      const target = this.#plan.edges[node.out[position] ?? -1]?.target;
      if (target === undefined) return [];
      return [target === END_INDEX ? END : (this.#plan.nodes[target]?.id ?? '')];
    });
  }
}

/** @returns null when the definition is no longer stored */
const compileBranches = ({ definition }: PastRun): TakenBranches | null =>
  definition === null ? null : new TakenBranches(compile(definition, systemRules));

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
