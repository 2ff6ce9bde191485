/** Tests one node of a draft: a private run of that node, whose templates read a past run or values of the request. */
import type { Scope } from '../../../platform/access/caller.ts';
import { invalid, notFound } from '../../../base/errors.ts';
import { compile, type Plan, type PlanNode } from '../../../language/graph/schedule/plan.ts';
import { listRoots, WHOLE_STATE } from '../../../language/graph/template/roots.ts';
import type { Sql } from '../../../base/db/client.ts';
import { encodeProgress } from '../../../language/graph/schedule/progress.ts';
import { createProgress } from '../../../language/graph/schedule/schedule.ts';
import { toSkeleton } from '../../../language/graph/definition/skeleton.ts';
import { seedState } from '../../../language/graph/definition/state.ts';
import { findReferences } from '../../../language/graph/template/template.ts';
import {
  isObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { requirePastRun } from '../ledger/read/require-objects.ts';
import { chooseRun, startChosen, type KeyedRequest, type StartDeps } from '../accept/start.ts';
import type { TestNodeBody } from '../api/rerun-schema.ts';
import { NO_STEPS, type RerunStart } from '../ledger/write/rerun-start.ts';
import {
  readPastBytes,
  readPastInput,
  readPastValues,
  type PastValue,
  type ReadNames,
} from '../ledger/read/past-run.ts';
import { bindShares, withShare } from '../ledger/questions/answer-pages.ts';
import type { RerunDeps } from './rerun.ts';
import { readDraft } from '../ledger/read/workflows.ts';
import { listEffects, requireConfirmation } from './sent-effects.ts';

interface TestNodeRequest extends KeyedRequest {
  readonly workflowId: string;
  readonly nodeId: string;
  readonly body: TestNodeBody;
}

/** Maximum bytes that a node reads of a past run: twice the limit of rendered values. */
export const MAX_PAST_BYTES = 32 * 1024 * 1024;

/**
 * Starts a private run of one node of the draft.
 * @returns the run start response
 * @throws ApiError 404 for the workflow, the node or the past run; 400 when the node does not compile; 409 for a node with
 *   effects without `confirm_effects`; 422 when the values of the past run are too large; as startChosen
 */
export async function testNode(
  deps: RerunDeps,
  scope: Scope,
  { workflowId, nodeId, body, idempotencyKey }: TestNodeRequest,
): Promise<JsonObject> {
  return withShare(bindShares(deps.answers, scope.organizationId), (hold) =>
    startChosen(deps, scope, {
      body: { workflow_id: workflowId, node_id: nodeId, ...body },
      idempotencyKey,
      choose: async () => {
        const workflow = await extractNode(deps, scope, { workflowId, nodeId });
        const past =
          body.from_run_pk === undefined
            ? null
            : (await requirePastRun(deps.db, scope, body.from_run_pk)).rootRunPk;
        const run = await chooseRun(deps, scope, {
          body: {
            workflow,
            attribution_workflow_id: workflowId,
            input: body.input ?? (past === null ? {} : await readPastInput(deps.db, past)),
            stream: true,
            ephemeral: false,
            is_private: true,
          },
          idempotencyKey,
          chat: null,
        });
        const plan = compile(workflow, kindRules);
        const [node] = plan.nodes;
        const effects = await listEffects(deps.db, scope.organizationId, plan.nodes);
        requireConfirmation(`Node ${nodeId} has side effects`, effects, body.confirm_effects);
        const seeded = seedState(plan.fields, run.workflowInput, run.runInput);
        const values = new Map<string, string>();
        const setAll = (given: JsonObject): void => {
          for (const [name, value] of Object.entries(given)) values.set(name, JSON.stringify(value));
        };
        setAll({ ...seeded.free, ...seeded.fields });
        if (past !== null && node !== undefined) {
          const names = listReadNames(node, plan, Object.keys(body.state ?? {}));
          for (const { name, value } of await readValues(deps.db, past, { names, hold }))
            values.set(name, value);
        }
        setAll(body.state ?? {});
        const rerunStart: RerunStart = {
          progress: encodeProgress(createProgress(toSkeleton(plan, run.recursionLimit))),
          fields: { names: [...values.keys()], values: [...values.values()] },
          ...NO_STEPS,
        };
        return { ...run, rerunStart };
      },
    }),
  );
}

/** Builds a definition of one node of the draft; a pin or `disabled` of the draft is dropped. @throws ApiError 404 */
async function extractNode(
  { db }: StartDeps,
  { organizationId }: Scope,
  { workflowId, nodeId }: Pick<TestNodeRequest, 'workflowId' | 'nodeId'>,
): Promise<JsonObject> {
  const definition = await readDraft(db, { organizationId, workflowId });
  if (definition === null) throw notFound('Workflow');
  const listed = ownValue(definition, 'nodes');
  const nodes = Array.isArray(listed) ? listed.filter(isObject) : [];
  const found = nodes.find((node) => node['id'] === nodeId);
  if (found === undefined) throw notFound('Node');
  const { mock: _, disabled: __, ...node } = found;
  const config = ownValue(definition, 'config');
  const { output: ___, ...settings } = isObject(config) ? config : {};
  const ids = nodes.map(({ id }) => id).filter((id) => id !== nodeId);
  return {
    ...definition,
    config: settings,
    // One node may read none of them.
    input_parameters: relax(ownValue(definition, 'input_parameters')),
    state_schema: { fields: addNodeFields(ownValue(definition, 'state_schema'), node, ids) },
    nodes: [node],
    edges: [],
    entry_point: nodeId,
  };
}

/** Lets every declared parameter be missing; defaults are filled. */
const relax = (declared: Json | undefined): Json =>
  (Array.isArray(declared) ? declared : []).map((one) => (isObject(one) ? { ...one, required: false } : one));

/** Adds a state field for each other node whose output the node reads. */
function addNodeFields(
  schema: Json | undefined,
  node: JsonObject,
  ids: readonly (Json | undefined)[],
): JsonObject {
  const wrapped = ownValue(schema, 'fields');
  const given = isObject(wrapped) ? wrapped : isObject(schema) ? schema : {};
  const fields: JsonObject = { ...given };
  for (const { root } of findReferences(node).references)
    if (ids.includes(root) && !Object.hasOwn(fields, root)) setOwn(fields, root, { reducer: 'none' });
  return fields;
}

/** Lists the names that the node's templates read and the fields that it updates, without `given`. Null: the whole state. */
function listReadNames(node: PlanNode, plan: Plan, given: readonly string[]): ReadNames {
  const names = new Set([...listRoots(node, plan, kindRules), ...Object.keys(node.stateUpdates)]);
  if (names.has(WHOLE_STATE)) return null;
  for (const name of given) names.delete(name);
  return [...names];
}

/** @throws ApiError 422 when the values are too large together */
async function readValues(
  db: Sql,
  rootRunPk: string,
  { names, hold }: { readonly names: ReadNames; readonly hold: (bytes: number) => Promise<void> },
): Promise<PastValue[]> {
  const bytes = await readPastBytes(db, rootRunPk, names);
  if (bytes > MAX_PAST_BYTES) {
    const msg = `The node reads ${bytes} bytes of this run, more than ${MAX_PAST_BYTES}; set smaller values in state`;
    throw invalid([{ loc: ['body', 'from_run_pk'], msg, type: 'state_too_large' }]);
  }
  await hold(bytes);
  return readPastValues(db, rootRunPk, names);
}
