/** Pins a node of the draft to its output in a past run, for test runs, and unpins it. */
import type { Scope } from '../../platform/access/caller.ts';
import { conflict, notFound } from '../../base/errors.ts';
import { listNodes, MAX_PIN_BYTES } from '../../language/graph/definition/definition-size.ts';
import { withPin } from '../../language/graph/definition/pins.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { requirePastRun } from '../../engine/runs/ledger/read/require-objects.ts';
import { readPastOutput } from '../../engine/runs/ledger/read/past-run.ts';
import { lockWorkflow, saveLocked, type WorkflowDeps } from './service.ts';
import type { WorkflowRow } from './store.ts';

interface DraftNode {
  readonly workflowId: string;
  readonly nodeId: string;
}

/** Room that `{"output":}` takes of a pin, in bytes. */
const PIN_FRAME_BYTES = 11;

/**
 * Pins a node to its output in a run: one save of the draft. An output that is too large is kept as a reference to its step.
 * @param from `visit` undefined: the last visit
 * @throws ApiError 404 for the workflow, its node, or the run; 409 when the node has no output in that run; 422 when the pin
 *   makes the definition too large
 */
export async function pinNode(
  deps: WorkflowDeps,
  scope: Scope,
  {
    from,
    ...of
  }: DraftNode & { readonly from: { readonly run_pk: string; readonly visit?: number | undefined } },
): Promise<WorkflowRow> {
  const run = await requirePastRun(deps.db, scope, from.run_pk);
  const maxBytes = MAX_PIN_BYTES - PIN_FRAME_BYTES;
  const wanted = { nodeId: of.nodeId, visit: from.visit ?? null, maxBytes };
  const found = await readPastOutput(deps.db, run.rootRunPk, wanted);
  if (found === null) throw conflict('node_without_output', `Node ${of.nodeId} has no output in this run`);
  const { output, bytes, runPk, stepId } = found;
  const pin = bytes > maxBytes ? { run_pk: runPk, step_id: stepId } : { output };
  return changeDraft(deps, scope, { ...of, change: (draft) => withPin(draft, of.nodeId, pin) });
}

/** The field of the request that an error about the pin names. */
const AT = ['body', 'run_pk'];

/** Unpins a node, and removes its mock; idempotent. @throws ApiError 404 */
export function unpinNode(deps: WorkflowDeps, scope: Scope, of: DraftNode): Promise<WorkflowRow> {
  const change = (draft: JsonObject): JsonObject =>
    withPin({ ...draft, nodes: listNodes(draft).map(withoutMock(of.nodeId)) }, of.nodeId, null);
  return changeDraft(deps, scope, { ...of, change });
}

const withoutMock =
  (nodeId: string) =>
  (node: Json): Json =>
    isObject(node) && node['id'] === nodeId
      ? Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'mock'))
      : node;

function changeDraft(
  deps: WorkflowDeps,
  scope: Scope,
  { workflowId, nodeId, change }: DraftNode & { readonly change: (draft: JsonObject) => JsonObject },
): Promise<WorkflowRow> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWorkflow(tx, scope, workflowId);
    if (!listNodes(row.workflow_schema).some((node) => ownValue(node, 'id') === nodeId))
      throw notFound('Node');
    const body = { workflow_schema: change(row.workflow_schema) };
    return saveLocked(tx, row, { body, userId: scope.caller.userId, source: 'rest', stepId: null, at: AT });
  });
}
