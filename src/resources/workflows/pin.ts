/** Pinning: what a node came to in a past run becomes its fixed output in the draft, and the reverse. */
import type { Scope } from '../../access/caller.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { MAX_PIN_BYTES, describePinExcess } from '../../graph/definition-size.ts';
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { findPastRun, readPastOutput } from '../../runs/ledger/past-run.ts';
import { toReader } from '../../runs/ledger/run-reads.ts';
import { lockWorkflow, saveLocked, type WorkflowDeps } from './service.ts';
import type { WorkflowRow } from './store.ts';

export interface NodeOfDraft {
  readonly workflowId: string;
  readonly nodeId: string;
}

/**
 * Pins a node to what it came to in a run: one save of the draft.
 * @param from `visit` undefined: its last
 * @throws ApiError 404 for the workflow, its node, or the run; 409 when the node came to no output there; 422 when the output is
 *   too large for a pin, or the definition becomes too large by it
 */
export async function pinNode(
  deps: WorkflowDeps,
  scope: Scope,
  {
    from,
    ...of
  }: NodeOfDraft & { readonly from: { readonly run_pk: string; readonly visit?: number | undefined } },
): Promise<WorkflowRow> {
  const run = await findPastRun(deps.db, toReader(scope), from.run_pk);
  if (run === null) throw notFound('Workflow run');
  const wanted = { nodeId: of.nodeId, visit: from.visit ?? null, maxBytes: MAX_PIN_BYTES };
  const found = await readPastOutput(deps.db, run.rootRunPk, wanted);
  if (found === null)
    throw conflict('node_without_output', `Node ${of.nodeId} came to no output in this run`);
  const { output, bytes } = found;
  if (bytes > MAX_PIN_BYTES)
    throw invalid([{ loc: AT, msg: describePinExcess(bytes), type: 'pin_too_large' }]);
  return changeNode(deps, scope, { ...of, change: (node) => ({ ...node, mock: { enabled: true, output } }) });
}

/** The field of the request that brings a pin. */
const AT = ['body', 'run_pk'];

/** Lets a node work again. A node that is not pinned stays as it is. @throws ApiError 404 */
export function unpinNode(deps: WorkflowDeps, scope: Scope, of: NodeOfDraft): Promise<WorkflowRow> {
  return changeNode(deps, scope, { ...of, change: withoutPin });
}

const withoutPin = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'mock'));

function changeNode(
  deps: WorkflowDeps,
  scope: Scope,
  { workflowId, nodeId, change }: NodeOfDraft & { readonly change: (node: JsonObject) => JsonObject },
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
