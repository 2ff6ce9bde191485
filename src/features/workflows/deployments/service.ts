/**
 * Deployments: immutable snapshots of a workflow, at most one of them live (SPEC API-deployments).
 * Each change is one transaction under the workflow's row lock.
 */
import { readCursorPage, type CursorPage, type PageQuery } from '../../../platform/http/cursor-page.ts';
import { pageByNumber } from '../../../base/db/keyset.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Deployment, Prisma } from '../../../base/db/generated/client.ts';
import { badRequest, conflict, notFound } from '../../../base/errors.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import { requireWorkflow } from '../../../engine/runs/ledger/read/require-objects.ts';
import { requireAllowedEffects } from '../../../engine/runs/rerun/refused-effects.ts';
import { storeDefinition, writeDefinition } from '../../../engine/runs/ledger/write/definitions.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { lockCredentials } from '../../../platform/credentials/require-credentials.ts';
import { requireBases } from '../../../platform/knowledge/require-bases.ts';
import type { CredentialDeps } from '../../../platform/credentials/api/service.ts';
import type { Dispatcher } from '../../../platform/outbox/dispatcher.ts';
import { requireTables } from '../../../platform/tables/require-tables.ts';
import { lockWorkflow, recordActivation, requireWorkflows } from '../service.ts';
import type { WorkflowRow } from '../store.ts';
import { flushCanvas } from './canvas.ts';
import type { DeployRequest } from './schema.ts';
import { putTriggers } from './triggers.ts';
import {
  clearLive,
  countActivation,
  countDeploy,
  deleteDeploymentRow,
  insertLive,
  pointAt,
  selectDeployment,
  selectPrevious,
  setLive,
  type LockedDeployment,
} from './store.ts';

export interface DeploymentDeps extends CredentialDeps {
  /** Told when schedules may have changed. */
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
}
interface DeploymentRef {
  readonly workflowId: string;
  readonly deploymentId: string;
}
/** Omits the snapshot. */
const RECORD = { omit: { workflowSchema: true, input: true, config: true } } as const;
export type DeploymentRow = Prisma.DeploymentGetPayload<typeof RECORD>;

interface DeployedBy {
  readonly userId: string;
  readonly note?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
}

const findError = (definition: JsonObject) =>
  validate(definition, kindRules).find((problem) => problem.severity === 'error');

/** Requires a definition without errors. @param refusal the beginning of the refusal @throws ApiError 400 naming the first error */
export function requireValid(definition: JsonObject, refusal: string): void {
  const first = findError(definition);
  if (first !== undefined) throw badRequest('workflow_invalid', `${refusal}: ${first.message}`);
}

/**
 * Deploys a workflow whose row the transaction has locked: inserts a snapshot and makes it live.
 * @returns the deployment's id
 * @throws ApiError 400 naming the first error of the definition, or the node whose credential is missing; 409 naming the
 *   rule that refuses an effect; 422 naming each call of a missing workflow; nothing is written then
 */
export async function deployWorkflow(tx: Sql, workflow: WorkflowRow, by: DeployedBy): Promise<string> {
  requireValid(workflow.workflow_schema, 'The workflow cannot be deployed');
  await lockCredentials(tx, workflow.organization_id, workflow.workflow_schema);
  await requireBases(tx, workflow.organization_id, workflow.workflow_schema);
  await requireTables(tx, workflow.organization_id, workflow.workflow_schema);
  await requireWorkflows(tx, workflow.organization_id, workflow.workflow_schema);
  const owner = { organizationId: workflow.organization_id, workflowId: workflow.id };
  await requireAllowedEffects(tx, owner, workflow.workflow_schema);
  const ordinal = await countDeploy(tx, workflow.id);
  const definitionHash = await storeDefinition(tx, workflow.organization_id, workflow.workflow_schema);
  await clearLive(tx, workflow.id);
  const deploymentId = await insertLive(tx, {
    organizationId: workflow.organization_id,
    workflowId: workflow.id,
    ordinal,
    definitionHash,
    note: by.note ?? null,
    imageUrl: by.imageUrl ?? null,
    userId: by.userId,
  });
  await pointAt(tx, workflow.id, deploymentId);
  return deploymentId;
}

const toDeployer = ({ organizationId, caller }: Scope) => ({ organizationId, userId: caller.userId });

/** Nothing is deployed unseen. @param hash of the draft that was looked at; null: nobody asks @throws ApiError 409 */
function requireSeen({ workflow_schema: draft }: WorkflowRow, hash: string | null): void {
  if (hash === null || writeDefinition(draft).definitionHash === hash) return;
  throw conflict('draft_changed', 'The draft has changed since its sheet was read. Read the sheet again');
}

/**
 * POST /workflows/{workflow_id}/deploy. Saves the edits of an open canvas first.
 * @throws ApiError 404, 400 for a definition with errors, 409 for a refused effect and a draft that was not looked at, 422 for calls of
 *   missing workflows; as putTriggers
 */
export async function deploy(
  deps: DeploymentDeps,
  scope: Scope,
  { workflowId, body }: { readonly workflowId: string; readonly body: DeployRequest },
): Promise<DeploymentRow> {
  await flushCanvas(deps, scope, workflowId);
  const id = await deps.db.transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, scope, workflowId);
    requireSeen(workflow, body.expected_definition_hash ?? null);
    const by = { userId: scope.caller.userId, note: body.deployment_note, imageUrl: body.schema_image_url };
    const deploymentId = await deployWorkflow(tx, workflow, by);
    await putTriggers(deps, tx, { ...toDeployer(scope), workflowId }, workflow.workflow_schema);
    return deploymentId;
  });
  deps.dispatcher.kick();
  const where = { id, organizationId: scope.organizationId };
  const row = await deps.db.prisma.deployment.findFirst({ ...RECORD, where });
  if (row === null) throw notFound('Deployment');
  return row;
}

/** Lists a page of deployments, newest first. @throws ApiError 404 for an unknown workflow */
export async function listDeployments(
  deps: Pick<DeploymentDeps, 'db' | 'config'>,
  scope: Scope,
  { workflowId, ...query }: PageQuery & { readonly workflowId: string },
): Promise<{ readonly page: CursorPage<DeploymentRow>; readonly total: number }> {
  const { organizationId, caller } = scope;
  const { workflow, deployment } = deps.db.prisma;
  const select = { deploymentTotal: true } as const;
  const found = await workflow.findFirst({ select, where: { id: workflowId, organizationId } });
  if (found === null) throw notFound('Workflow');
  const page = await readCursorPage(deps.config.auth, query, {
    name: `deployments/${organizationId}/${caller.userId}/${workflowId}`,
    read(read) {
      const { behind, ...rest } = pageByNumber(read, 'ordinal', 'highest');
      return deployment.findMany({ ...RECORD, where: { workflowId, organizationId, AND: behind }, ...rest });
    },
    readPosition: ({ ordinal, id }) => ({ place: ordinal, rowId: id }),
  });
  return { page, total: found.deploymentTotal };
}

/** @throws ApiError 404 for an unknown workflow, or a deployment that is not its own */
export async function findDeployment(
  deps: Pick<DeploymentDeps, 'db'>,
  scope: Scope,
  ref: DeploymentRef,
): Promise<Deployment> {
  await requireWorkflow(deps.db, scope, ref.workflowId);
  const where = { id: ref.deploymentId, workflowId: ref.workflowId, organizationId: scope.organizationId };
  const row = await deps.db.prisma.deployment.findFirst({ where });
  if (row === null) throw notFound('Deployment');
  return row;
}

async function findLocked(tx: Sql, workflow: WorkflowRow, deploymentId: string): Promise<LockedDeployment> {
  const row = await selectDeployment(tx, workflow.id, deploymentId);
  if (row === null) throw notFound('Deployment');
  return row;
}

/**
 * Makes a snapshot live whose workflow the transaction has locked. One that has errors by now sends nothing, so no rule refuses it.
 * @throws ApiError 409 naming the rule that refuses an effect
 */
async function makeLive(tx: Sql, workflow: WorkflowRow, deployment: LockedDeployment): Promise<void> {
  const { workflow_schema: definition } = deployment;
  const owner = { organizationId: workflow.organization_id, workflowId: workflow.id };
  if (findError(definition) === undefined) await requireAllowedEffects(tx, owner, definition);
  await setLive(tx, deployment.id);
  await pointAt(tx, workflow.id, deployment.id);
}

interface Activation {
  readonly wasLive: boolean;
  /** The deployment that was live before. */
  readonly previousId: string | null;
}

/** Makes an existing snapshot live; the draft stays as it is. @throws ApiError 404, 409 for a refused effect; as putTriggers */
export async function activateDeployment(
  deps: DeploymentDeps,
  scope: Scope,
  ref: DeploymentRef,
): Promise<Activation> {
  const activation = await deps.db.transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, scope, ref.workflowId);
    const deployment = await findLocked(tx, workflow, ref.deploymentId);
    const previousId = workflow.live_deployment_id;
    if (deployment.is_live) return { wasLive: true, previousId };
    await clearLive(tx, workflow.id);
    await makeLive(tx, workflow, deployment);
    await putTriggers(
      deps,
      tx,
      { ...toDeployer(scope), workflowId: workflow.id },
      deployment.workflow_schema,
    );
    const { userId } = scope.caller;
    const editVersion = await countActivation(tx, workflow.id, userId);
    await recordActivation(tx, { workflowId: workflow.id, userId, editVersion }, deployment.id);
    return { wasLive: false, previousId };
  });
  deps.dispatcher.kick();
  return activation;
}

/** Deactivates the live deployment. @returns its id, or null when nothing was live. @throws ApiError 404 */
export async function deactivateLive(
  deps: DeploymentDeps,
  scope: Scope,
  workflowId: string,
): Promise<string | null> {
  const previousId = await deps.db.transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, scope, workflowId);
    if (workflow.live_deployment_id === null) return null;
    await clearLive(tx, workflow.id);
    await pointAt(tx, workflow.id, null);
    await putTriggers(deps, tx, { ...toDeployer(scope), workflowId }, null);
    return workflow.live_deployment_id;
  });
  deps.dispatcher.kick();
  return previousId;
}

interface Deletion {
  readonly wasLive: boolean;
  /** The deployment before a deleted live one, which is live now. Never a newer one, which was rolled back. */
  readonly newLiveId: string | null;
}

/** Deletes a deployment. @throws ApiError 404, 409 when a rule refuses an effect of the one that would be live then; as putTriggers */
export async function deleteDeployment(
  deps: DeploymentDeps,
  scope: Scope,
  ref: DeploymentRef,
): Promise<Deletion> {
  const deletion = await deps.db.transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, scope, ref.workflowId);
    const deployment = await findLocked(tx, workflow, ref.deploymentId);
    await deleteDeploymentRow(tx, deployment.id);
    if (!deployment.is_live) return { wasLive: false, newLiveId: null };
    const previous = await selectPrevious(tx, workflow.id, deployment.ordinal);
    if (previous === null) await pointAt(tx, workflow.id, null);
    else await makeLive(tx, workflow, previous);
    const of = { ...toDeployer(scope), workflowId: workflow.id };
    await putTriggers(deps, tx, of, previous?.workflow_schema ?? null);
    return { wasLive: true, newLiveId: previous?.id ?? null };
  });
  deps.dispatcher.kick();
  return deletion;
}
