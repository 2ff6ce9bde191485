/**
 * Delivers a verified request: filter, mapping, one run, and its record in the log of the hook. The run and the record become
 * durable together, so a sender that repeats a request whose answer was lost is told of the same run.
 */
import { buildAdmission } from '../../platform/billing/admission.ts';
import { ApiError, badRequest, invalid, type Issue } from '../../base/errors.ts';
import { noteRunAccepted } from '../../base/observe/metrics.ts';
import { acceptIn } from '../../engine/runs/accept/accept.ts';
import { chooseLimits } from '../../engine/runs/accept/limits.ts';
import { requireInput } from '../../engine/runs/accept/run-input.ts';
import { requireNoBacklog, type StartDeps } from '../../engine/runs/accept/start.ts';
import { messagePreview } from '../../engine/runs/accept/start-response.ts';
import { UNATTENDED, type NewRun } from '../../engine/runs/ledger/write/insert-runs.ts';
import { findLive } from '../../engine/runs/ledger/read/workflows.ts';
import { redactRequest, type HookRequest } from './hook-request.ts';
import {
  findStarted,
  insertDelivery,
  lockDuplicateKey,
  noteRejection,
  stopListening,
  type Hook,
  type NewDelivery,
  type StartedDelivery,
} from './store.ts';
import { HookTemplateError, mapToInput, passesFilter, renderThreadId } from './templates.ts';

export type DeliveryResult =
  | { readonly outcome: 'filtered' | 'captured'; readonly deliveryId: string }
  | ({ readonly outcome: 'started'; readonly isDuplicate: boolean } & StartedDelivery);

interface DeliveryRequest {
  readonly request: HookRequest;
  /** Depth of the run that sent the request; 0 when none did. */
  readonly depth: number;
  /** Null: the request is no duplicate of another. */
  readonly duplicateKey: string | null;
  /** The delivery that this one repeats by hand. */
  readonly redeliveryOf: string | null;
}

/** True when the request is only captured for a test. */
async function isTestEvent(deps: StartDeps, hook: Hook): Promise<boolean> {
  if (!hook.isListening || !hook.isEnabled) return hook.isListening;
  const live = await findLive(deps.db, hook);
  return live === null || live === 'none';
}

/** Records a test event; the next request is none, unless somebody listens again. */
async function capture(
  deps: StartDeps,
  hook: Hook,
  delivery: Omit<NewDelivery, 'outcome' | 'run'>,
): Promise<DeliveryResult> {
  // The person who listens sees a mapping that cannot be rendered as the failure that it would be.
  mapToInput(hook.mapping, delivery.request);
  renderThreadId(hook.threadId, delivery.request);
  const deliveryId = await insertDelivery(deps.db, hook, {
    ...delivery,
    duplicateKey: null,
    outcome: 'captured',
  });
  await stopListening(deps.db, hook);
  return { outcome: 'captured', deliveryId };
}

/** @throws ApiError 400 when the workflow has no live deployment; 422 without a required parameter */
async function buildRun(deps: StartDeps, hook: Hook, request: HookRequest, depth: number): Promise<NewRun> {
  const { organizationId, workflowId } = hook;
  const input = mapToInput(hook.mapping, request);
  const threadId = renderThreadId(hook.threadId, request);
  const live = await findLive(deps.db, { organizationId, workflowId });
  if (live === null || live === 'none')
    throw badRequest('workflow_not_deployed', 'The workflow has no active deployment. Deploy it first');
  const facts = await deps.definitionFacts.get(organizationId, live.definitionHash);
  return {
    ...live,
    organizationId,
    createdBy: hook.createdBy,
    admission: buildAdmission(hook),
    triggerType: 'webhook',
    ...UNATTENDED,
    threadId,
    chatKind: threadId === null ? null : 'workflow',
    messagePreview: messagePreview({ ...live.input, ...input }),
    ...chooseLimits(live.config, facts.config),
    workflowInput: live.input,
    runInput: requireInput(facts.parameters, { workflowInput: live.input, runInput: input }, ['body']),
    childDepth: depth,
  };
}

function describeFailure(error: unknown): NewDelivery['error'] | null {
  if (error instanceof HookTemplateError) return { code: 'mapping_failed', message: error.message };
  if (!(error instanceof ApiError)) return null;
  const { failure } = error;
  if (failure.shape === 'D') return { code: failure.denial.code, message: 'A limit of the plan was reached' };
  if (failure.shape === 'A') return { code: failure.code, message: failure.detail };
  if (failure.shape === 'C')
    return {
      code: failure.issues[0]?.type ?? 'invalid',
      message: failure.issues.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; '),
    };
  return null;
}

/**
 * Records a verified request that cannot be read: its sender may never repeat it, and people see what was lost and why. Its text
 * is left out where the organization redacts values, because they are not found in it.
 */
export async function recordRejected(
  { db }: Pick<StartDeps, 'db'>,
  hook: Hook,
  { request, issue }: { readonly request: HookRequest; readonly issue: Issue },
): Promise<void> {
  await noteRejection(db, hook.hookId, issue.type);
  await insertDelivery(db, hook, {
    outcome: 'rejected',
    error: { code: issue.type, message: issue.msg },
    duplicateKey: null,
    redeliveryOf: null,
    request: hook.redactedPaths.length > 0 ? { ...request, query: {}, headers: {}, body: null } : request,
  });
}

/** Accepts the run once per duplicate key, together with its delivery. */
function acceptOnce(
  deps: StartDeps,
  hook: Hook,
  run: NewRun,
  delivery: Omit<NewDelivery, 'outcome' | 'run'>,
): Promise<DeliveryResult> {
  const { duplicateKey } = delivery;
  return deps.acceptor.acceptWithin(hook.organizationId, async (tx): Promise<DeliveryResult> => {
    if (duplicateKey !== null) {
      const key = { hookId: hook.hookId, duplicateKey };
      await lockDuplicateKey(tx, key);
      const earlier = await findStarted(tx, key);
      if (earlier !== null) return { outcome: 'started', isDuplicate: true, ...earlier };
    }
    const { runPk, runId } = await acceptIn(tx, run);
    const deliveryId = await insertDelivery(tx, hook, {
      ...delivery,
      outcome: 'started',
      run: { runPk, runId },
    });
    return { outcome: 'started', isDuplicate: false, deliveryId, runPk, runId };
  });
}

/**
 * Delivers a request to its hook.
 * @throws ApiError 400 without a live deployment, 422 when the filter or the mapping cannot be rendered, 503 for a backlog,
 *   shape D from the gate; all but 503 are in the log of the hook
 */
export async function deliver(
  deps: StartDeps,
  hook: Hook,
  { request: sent, depth, duplicateKey, redeliveryOf }: DeliveryRequest,
): Promise<DeliveryResult> {
  // Before the mapping, which may give a named value another name.
  const request = redactRequest(sent, hook.redactedPaths);
  const delivery = { duplicateKey, redeliveryOf, request };
  const isTest = redeliveryOf === null && (await isTestEvent(deps, hook));
  if (duplicateKey !== null && !isTest) {
    // Most duplicates come after the run was accepted: they take no lock.
    const earlier = await findStarted(deps.db, { hookId: hook.hookId, duplicateKey });
    if (earlier !== null) return { outcome: 'started', isDuplicate: true, ...earlier };
  }
  requireNoBacklog(deps);
  try {
    if (!passesFilter(hook.filter, request)) {
      const deliveryId = await insertDelivery(deps.db, hook, { ...delivery, outcome: 'filtered' });
      return { outcome: 'filtered', deliveryId };
    }
    if (isTest) return await capture(deps, hook, delivery);
    const run = await buildRun(deps, hook, request, depth);
    const delivered = await acceptOnce(deps, hook, run, delivery);
    if (delivered.outcome === 'started' && !delivered.isDuplicate) {
      noteRunAccepted(run.triggerType);
      deps.dispatcher.kickStart(hook.organizationId);
    }
    return delivered;
  } catch (error) {
    const failure = describeFailure(error);
    if (failure === null || failure === undefined) throw error;
    // The key is left out: the sender may repeat the request once the cause is mended.
    await insertDelivery(deps.db, hook, {
      ...delivery,
      duplicateKey: null,
      outcome: 'failed',
      error: failure,
    });
    if (error instanceof HookTemplateError)
      throw invalid([{ loc: ['body'], msg: error.message, type: 'mapping_failed' }]);
    throw error;
  }
}
