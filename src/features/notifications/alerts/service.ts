/** Creates, lists, changes and deletes the alerts of an organization. */
import type { Scope } from '../../../platform/access/caller.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Alert } from '../../../base/db/generated/client.ts';
import { invalid, notFound, limitReached } from '../../../base/errors.ts';
import type { AlertKind } from './alert-measures.ts';
import type { AlertChange, NewAlert } from './schema.ts';

export interface AlertDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Each is measured once a minute. */
const MAX_ALERTS = 50;
const DAY_MINUTES = 24 * 60;

interface Rule {
  readonly threshold: number | null;
  readonly windowMinutes: number | null;
}

/** The parts of a rule that a kind has, with the default of its window and the largest threshold. */
const SHAPES: Readonly<
  Record<
    AlertKind,
    { readonly window: number | null; readonly most: number | null; readonly isWhole: boolean }
  >
> = {
  failures_in_row: { window: null, most: 100, isWhole: true },
  failure_rate: { window: 60, most: 100, isWhole: false },
  silence: { window: 60, most: null, isWhole: false },
  duration: { window: 60, most: 30 * DAY_MINUTES * 60, isWhole: false },
  cost: { window: DAY_MINUTES, most: Number.MAX_SAFE_INTEGER, isWhole: false },
};

function refuse(field: 'threshold' | 'window_minutes' | 'workflow_id', msg: string, type: string): never {
  throw invalid([{ loc: ['body', field], msg, type }]);
}

/** Completes a rule for its kind. @throws ApiError 422 for a part that the kind does not have, or that it needs */
function completeRule(kind: AlertKind, { threshold, windowMinutes }: Rule): Rule {
  const { window, most, isWhole } = SHAPES[kind];
  if (most === null && threshold !== null)
    refuse(
      'threshold',
      `An alert of kind ${kind} has no threshold. Set window_minutes instead`,
      'rule_invalid',
    );
  if (most !== null && threshold === null)
    refuse('threshold', `Required for an alert of kind ${kind}`, 'missing');
  if (most !== null && threshold !== null && threshold > most)
    refuse('threshold', `Must be at most ${most} for an alert of kind ${kind}`, 'less_than_equal');
  if (isWhole && threshold !== null && !Number.isInteger(threshold))
    refuse('threshold', `Must be a whole number for an alert of kind ${kind}`, 'int_type');
  if (window === null && windowMinutes !== null)
    refuse('window_minutes', `An alert of kind ${kind} does not use window_minutes`, 'rule_invalid');
  return { threshold, windowMinutes: window === null ? null : (windowMinutes ?? window) };
}

/** @throws ApiError 409 at the limit; 422 for the rule, and for a workflow that the organization does not have */
export async function createAlert(
  { db, clock }: AlertDeps,
  { organizationId, caller }: Scope,
  body: NewAlert,
): Promise<Alert> {
  const rule = completeRule(body.kind, {
    threshold: body.threshold ?? null,
    windowMinutes: body.window_minutes ?? null,
  });
  const workflowId = body.workflow_id ?? null;
  return db.prisma.$transaction(async (tx) => {
    // The lock makes concurrent creations count one another.
    await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    if (workflowId !== null && (await tx.workflow.count({ where: { id: workflowId, organizationId } })) === 0)
      refuse('workflow_id', 'Workflow not found', 'workflow_not_found');
    if ((await tx.alert.count({ where: { organizationId } })) >= MAX_ALERTS)
      throw limitReached(MAX_ALERTS, 'alert');
    return tx.alert.create({
      data: {
        ...rule,
        organizationId,
        workflowId,
        name: body.name,
        kind: body.kind,
        enabled: body.enabled,
        armedAt: new Date(clock.now()),
        createdBy: caller.userId,
      },
    });
  });
}

/** Lists the alerts of the organization, newest first. */
export function listAlerts({ db }: AlertDeps, { organizationId }: Scope): Promise<Alert[]> {
  return db.prisma.alert.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** @throws ApiError 404 */
export async function getAlert(
  { db }: AlertDeps,
  { organizationId }: Scope,
  alertId: string,
): Promise<Alert> {
  const row = await db.prisma.alert.findFirst({ where: { id: alertId, organizationId } });
  if (row === null) throw notFound('Alert');
  return row;
}

/** Changes the supplied fields. A new rule, and one that is enabled again, begins without an episode. @throws ApiError 404, 422 */
export async function changeAlert(
  deps: AlertDeps,
  scope: Scope,
  { alertId, body }: { readonly alertId: string; readonly body: AlertChange },
): Promise<Alert> {
  const before = await getAlert(deps, scope, alertId);
  const rule = completeRule(before.kind as AlertKind, {
    threshold: body.threshold ?? before.threshold,
    windowMinutes: body.window_minutes ?? before.windowMinutes,
  });
  const now = new Date(deps.clock.now());
  const isRearmed =
    body.threshold !== undefined || body.window_minutes !== undefined || body.enabled !== undefined;
  return deps.db.prisma.alert.update({
    where: { id: alertId, organizationId: scope.organizationId },
    data: {
      ...rule,
      name: body.name ?? before.name,
      enabled: body.enabled ?? before.enabled,
      ...(isRearmed ? { armedAt: now, firingSince: null, value: null, checkedAt: null } : {}),
      updatedAt: now,
    },
  });
}

/** @throws ApiError 404 */
export async function deleteAlert(
  { db }: AlertDeps,
  { organizationId }: Scope,
  alertId: string,
): Promise<void> {
  const { count } = await db.prisma.alert.deleteMany({ where: { id: alertId, organizationId } });
  if (count === 0) throw notFound('Alert');
}
