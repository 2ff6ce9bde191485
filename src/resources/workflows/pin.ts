/** Pins a node of the draft to its output in a past run, and unpins it. */
import type { Scope } from '../../access/caller.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { MAX_PIN_BYTES, describePinExcess } from '../../graph/definition-size.ts';
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { findPastRun, readPastOutput } from '../../runs/ledger/past-run.ts';
import { toReader } from '../../runs/ledger/run-reads.ts';
import { lockWorkflow, saveLocked, type WorkflowDeps } from './service.ts';
import type { WorkflowRow } from './store.ts';

interface DraftNode {
  readonly workflowId: string;
  readonly nodeId: string;
}

/**
 * Pins a node to its output in a run: one save of the draft.
 * @param from `visit` undefined: the last visit
 * @throws ApiError 404 for the workflow, its node, or the run; 409 when the node has no output in that run; 422 when the output
 *   is too large for a pin, or makes the definition too large
 */
export async function pinNode(
  deps: WorkflowDeps,
  scope: Scope,
  {
    from,
    ...of
  }: DraftNode & { readonly from: { readonly run_pk: string; readonly visit?: number | undefined } },
): Promise<WorkflowRow> {
  const run = await findPastRun(deps.db, toReader(scope), from.run_pk);
  if (run === null) throw notFound('Workflow run');
  const wanted = { nodeId: of.nodeId, visit: from.visit ?? null, maxBytes: MAX_PIN_BYTES };
  const found = await readPastOutput(deps.db, run.rootRunPk, wanted);
  if (found === null) throw conflict('node_without_output', `Node ${of.nodeId} has no output in this run`);
  const { output, bytes } = found;
  if (bytes > MAX_PIN_BYTES)
    throw invalid([{ loc: AT, msg: describePinExcess(bytes), type: 'pin_too_large' }]);
  return changeNode(deps, scope, { ...of, change: (node) => ({ ...node, mock: { enabled: true, output } }) });
}

/** The field of the request that an error about the pin names. */
const AT = ['body', 'run_pk'];

/** Unpins a node; idempotent. @throws ApiError 404 */
export function unpinNode(deps: WorkflowDeps, scope: Scope, of: DraftNode): Promise<WorkflowRow> {
  return changeNode(deps, scope, { ...of, change: removePin });
}

const removePin = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'mock'));

function changeNode(
  deps: WorkflowDeps,
  scope: Scope,
  { workflowId, nodeId, change }: DraftNode & { readonly change: (node: JsonObject) => JsonObject },
): Promise<WorkflowRow> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWorkflow(tx, scope, workflowId);
    const listed = ownValue(row.workflow_schema, 'nodes');
    const nodes = Array.isArray(listed) ? listed : [];
    const isIt = (node: unknown): node is JsonObject => isObject(node) && node['id'] === nodeId;
    if (!nodes.some(isIt)) throw notFound('Node');
    const changed = nodes.map((node) => (isIt(node) ? change(node) : node));
    const body = { workflow_schema: { ...row.workflow_schema, nodes: changed } };
    return saveLocked(tx, row, { body, userId: scope.caller.userId, source: 'rest', stepId: null, at: AT });
  });
}
