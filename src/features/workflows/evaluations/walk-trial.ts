/** Rehearses a recorded case: what the definition would have done with the run, without sending anything. */
import { computeWalk, type RehearseDeps } from '../rehearsals/rehearse-run.ts';
import type { ReadyPlan } from '../../../engine/runs/walk/ready-plan.ts';
import type { RecordedRun } from '../../../engine/runs/rehearse/record.ts';
import type { Walk } from '../../../engine/runs/rehearse/walked.ts';
import { mockPins } from '../../../language/graph/definition/pins.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { isChange } from '../../../language/nodes/effect.ts';
import { getKind } from '../../../language/nodes/registry.ts';

/** The result of a walk. */
type WalkedCase =
  | {
      readonly kind: 'walked';
      readonly input: JsonObject;
      /** Of the record; null: the run has failed. */
      readonly recorded: Json;
      readonly output: Json;
      /** Why it fails; null: it completes. */
      readonly error: Walk['error'];
    }
  /** Models and services would be asked something of which nothing is recorded. */
  | {
      readonly kind: 'unknown';
      readonly doubt: string;
      readonly input: JsonObject;
      readonly recorded: Json;
      /** Outputs of nodes that change something outside, in the record. */
      readonly writes: ReadonlyMap<string, Json>;
    }
  /** Nothing can be told of the run. */
  | { readonly kind: 'unusable'; readonly doubt: string };

/** Lists the recorded outputs of the nodes of a definition that change something outside; those that call models as well are left out. */
function listWrites({ plan, configs }: ReadyPlan, { steps }: RecordedRun): Map<string, Json> {
  const outputs = new Map<string, Json>();
  for (const node of plan.nodes) {
    const patterns = getKind(node.type).describe?.(configs[node.index]) ?? [];
    if (!patterns.some(isChange) || patterns.some(({ door }) => door === 'model')) continue;
    const recorded = steps.filter(({ nodeId, itemIndex }) => nodeId === node.id && itemIndex < 0);
    const [only] = recorded;
    if (recorded.length === 1 && only?.status === 'succeeded') outputs.set(node.id, only.output);
  }
  return outputs;
}

/** Answers the writes of a definition from the record. */
export const answerWrites = (definition: JsonObject, writes: ReadonlyMap<string, Json>): JsonObject =>
  writes.size === 0 ? definition : mockPins(definition, writes);

/** Walks the recorded run of a case. @throws errors of the database */
export async function walkCase(
  deps: RehearseDeps,
  run: { readonly organizationId: string; readonly rootRunPk: string },
  after: ReadyPlan,
): Promise<WalkedCase> {
  const computed = await computeWalk(deps, run, after);
  if (computed === null) return { kind: 'unusable', doubt: 'run_deleted' };
  const { found, walked } = computed;
  if (walked === null) return { kind: 'unusable', doubt: found.doubt ?? found.verdict };
  const { record, before, walk } = walked;
  const input = record.inputs.merged;
  const recorded = before.end === 'completed' ? before.output : null;
  if (found.doubt === null && walk.end !== 'open')
    return { kind: 'walked', input, recorded, output: walk.output, error: walk.error };
  return {
    kind: 'unknown',
    doubt: found.doubt ?? found.verdict,
    input,
    recorded,
    writes: listWrites(after, record),
  };
}
