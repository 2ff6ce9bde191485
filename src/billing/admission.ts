/**
 * The admission gate (SPEC API-errors, shape D): credits are reserved, then the run rate is taken, in one
 * statement of the transaction that writes what is admitted. A refusal, or a crash, leaves nothing.
 */
import type { Scope, Subscription } from '../access/caller.ts';
import type { Sql } from '../db/client.ts';
import { denied, rateLimitHeaders, type ApiError, type DenialCode } from '../errors.ts';
import { MILLICREDITS, resolveEntitlements, isPaid as hasPaidPlan } from './plans.ts';
import { RESERVATION_MC } from './prices.ts';

/** What the gate must know. Made from a scope when the request is known to be valid: making one refuses the suspended. */
export interface Admission {
  readonly organizationId: string;
  readonly amountMc: number;
  readonly monthlyMc: number | null;
  readonly isPaid: boolean;
  readonly runRate: number | null;
}

/**
 * The terms on which an organization is admitted.
 * @param amountMc what to reserve, in millicredits
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

/** The columns of SQL's `admit(...)`; values are millicredits, but for the run rate. */
export interface Verdict {
  readonly refusal: DenialCode | null;
  readonly current_value: number | null;
  readonly limit_value: number | null;
  readonly retry_after: number | null;
}

/** The refusal of a verdict as the answer to the client; null when it admits. */
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
 * @param subject `subjectId` names the reservation for its settlement (settlement.ts): the run_pk of a run, which holds
 *   it while it is running; of other work any UUID, with `leaseSeconds` after which it is taken for dead
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
 * The gate of things that are counted. Call with the count read under a lock that the thing's making holds, too.
 * @throws ApiError 403 `quota_exceeded` when one more than `current` is not entitled to
 */
export function requireQuota(subscription: Subscription, key: 'knowledge_bases', current: number): void {
  const limit = resolveEntitlements(subscription)[key];
  if (limit !== null && current >= limit) throw denied({ code: 'quota_exceeded', key, current, limit });
}
