/**
 * The billing gate (SPEC API-errors, shape D): reserves credits and then counts the run rate, in the transaction that writes
 * the admitted work. A refusal or a crash leaves nothing behind.
 */
import type { Scope, Subscription } from '../access/caller.ts';
import type { Sql } from '../../base/db/client.ts';
import { denied, rateLimitHeaders, type ApiError, type DenialCode } from '../../base/errors.ts';
import { MILLICREDITS, resolveEntitlements, isPaid as hasPaidPlan } from './plans.ts';
import { RESERVATION_MC } from './prices.ts';

/** The input of the gate. Build it after the request was validated: a suspended subscription is refused when it is built. */
export interface Admission {
  readonly organizationId: string;
  readonly amountMc: number;
  readonly monthlyMc: number | null;
  readonly isPaid: boolean;
  readonly runRate: number | null;
}

/**
 * Builds the admission of an organization.
 * @param amountMc the reservation, in millicredits
 * @throws ApiError 402 `credit_plan_exhausted` for a suspended subscription
 */
export function buildAdmission(
  { organizationId, subscription }: Pick<Scope, 'organizationId' | 'subscription'>,
  amountMc = RESERVATION_MC,
): Admission {
  if (subscription.isSuspended)
    throw denied({ code: 'credit_plan_exhausted', key: null, current: null, limit: null });
  const { monthly_credits: monthly, sync_exec: runRate } = resolveEntitlements(subscription);
  return {
    organizationId,
    amountMc,
    monthlyMc: monthly === null ? null : monthly * MILLICREDITS,
    isPaid: hasPaidPlan(subscription),
    runRate,
  };
}

/** Reads an organization's subscription. @throws Error when the organization does not exist */
export async function readSubscription(sql: Sql, organizationId: string): Promise<Subscription> {
  const [subscription] = await sql.query<Subscription>(
    `SELECT plan, entitlements AS overrides, is_suspended AS "isSuspended" FROM organizations WHERE id = $1`,
    [organizationId],
  );
  if (subscription === undefined) throw new Error(`organization ${organizationId} does not exist`);
  return subscription;
}

/**
 * Builds the admission of work inside a run, which has already counted against the run rate.
 * @throws ApiError 402 for a suspended subscription; Error when the organization does not exist
 */
export async function readAdmissionWithinRun(sql: Sql, organizationId: string): Promise<Admission> {
  const subscription = await readSubscription(sql, organizationId);
  return { ...buildAdmission({ organizationId, subscription }), runRate: null };
}

/** The columns of the SQL function `admit`; values are millicredits, or runs for the run rate. */
export interface Verdict {
  readonly refusal: DenialCode | null;
  readonly current_value: number | null;
  readonly limit_value: number | null;
  readonly retry_after: number | null;
}

/** Converts a verdict to the error for the client; null when it admits. */
export function toRefusal(verdict: Verdict): ApiError | null {
  const { refusal, current_value: current, limit_value: limit } = verdict;
  if (refusal === null) return null;
  if (refusal === 'rate_limit_exceeded') {
    return denied(
      { code: refusal, key: 'sync_exec', current, limit },
      rateLimitHeaders(limit ?? 0, verdict.retry_after ?? 0),
    );
  }
  const credits = (value: number | null): number | null => (value === null ? null : value / MILLICREDITS);
  const key = refusal === 'wallet_insufficient' ? 'wallet' : 'monthly_credits';
  return denied({ code: refusal, key, current: credits(current), limit: credits(limit) });
}

/**
 * Passes the gate for one subject, in the caller's transaction.
 * @param subject `subjectId` names the reservation for its settlement (settlement.ts): the run_pk of a run, or any UUID for
 *   other work, whose reservation expires after `leaseSeconds`
 * @throws ApiError shape D; nothing is reserved then
 */
export async function admit(
  sql: Sql,
  { organizationId, amountMc, monthlyMc, isPaid, runRate }: Admission,
  subject: { readonly subjectId: string; readonly leaseSeconds: number | null },
): Promise<void> {
  const [verdict] = await sql.query<Verdict>(
    'SELECT * FROM admit($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::boolean, $6::integer, $7::integer)',
    [subject.subjectId, organizationId, amountMc, monthlyMc, isPaid, runRate, subject.leaseSeconds],
  );
  if (verdict === undefined) throw new Error('the gate gave no verdict');
  const refusal = toRefusal(verdict);
  if (refusal !== null) throw refusal;
}

/**
 * Checks a quota before a resource is created. Read `current` under a lock that the creation holds.
 * @throws ApiError 403 `quota_exceeded` when `current` has reached the quota
 */
export function requireQuota(
  subscription: Subscription,
  key: 'knowledge_bases' | 'tables' | 'integration_types',
  current: number,
): void {
  const limit = resolveEntitlements(subscription)[key];
  if (limit !== null && current >= limit) throw denied({ code: 'quota_exceeded', key, current, limit });
}
