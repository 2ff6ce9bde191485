/** An organization's subscription: plan, credits, usage and wallet. */
import type { Scope } from '../../access/caller.ts';
import { readAccount } from '../account.ts';
import { readDailyUsage } from '../daily-usage.ts';
import { MILLICREDITS, resolveEntitlements } from '../plans.ts';
import { readLedger, setOverage, type LedgerRow } from '../wallet.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Config } from '../../../base/config/config.ts';
import type { TopupPort } from '../topup.ts';
import { refuseWith } from '../../../base/errors.ts';
import { readCreation, readCursorPage } from '../../http/cursor-page.ts';
import type { LedgerQuery } from './schema.ts';

export interface SubscriptionDeps {
  readonly db: Db;
  readonly config: Config;
  readonly topups: TopupPort | null;
}

/** Reads the plan, the entitlements, the month's usage and the wallet. */
export async function getSubscription(deps: Pick<SubscriptionDeps, 'db'>, scope: Scope): Promise<object> {
  const { subscription, organizationId } = scope;
  const {
    monthly_credits: monthly,
    runs_under_way: _runs,
    service_account: _account,
    ...entitlements
  } = resolveEntitlements(subscription);
  const account = await readAccount(deps.db, organizationId);
  return {
    organization_id: organizationId,
    plan: subscription.plan,
    is_suspended: subscription.isSuspended,
    period_start: account.periodStart.toISOString(),
    period_end: account.periodEnd.toISOString(),
    credits: {
      used: account.used,
      reserved: account.reserved,
      limit: monthly,
      remaining: monthly === null ? null : Math.max(0, monthly - account.used),
    },
    wallet: { balance: account.balance, extra_usage_enabled: account.isOverageEnabled },
    entitlements,
  };
}

/** Reads the usage of each of the last days, oldest first. @param days how many, today included */
export async function getDailyUsage(
  { db }: Pick<SubscriptionDeps, 'db'>,
  { organizationId }: Scope,
  days: number,
): Promise<object> {
  return { days: await readDailyUsage(db, organizationId, days) };
}

/** Turns extra usage on or off. @returns the subscription as it is now */
export async function setExtraUsage(
  deps: Pick<SubscriptionDeps, 'db'>,
  scope: Scope,
  isEnabled: boolean,
): Promise<object> {
  await setOverage(deps.db, scope.organizationId, isEnabled);
  return getSubscription(deps, scope);
}

/**
 * Creates a checkout session for a wallet top-up.
 * @param credits how many to buy
 * @throws ApiError 503 on a deployment without a payment provider
 */
export async function beginTopup(
  deps: Pick<SubscriptionDeps, 'db' | 'topups'>,
  scope: Scope,
  credits: number,
): Promise<object> {
  if (deps.topups === null) {
    const detail = 'Top-ups are not available: no payment provider is configured on this deployment';
    throw refuseWith(503, 'payments_not_configured', detail);
  }
  const { organizationId } = scope;
  const organization = await deps.db.prisma.organization.findFirst({
    where: { id: organizationId },
    select: { stripeCustomerId: true },
  });
  const customerId = organization?.stripeCustomerId ?? null;
  const { checkoutUrl } = await deps.topups.begin({ organizationId, customerId, credits });
  return { checkout_url: checkoutUrl };
}

const presentEntry = (row: LedgerRow): object => ({
  id: row.id,
  kind: row.kind,
  amount: row.amount_mc / MILLICREDITS,
  balance: row.balance_mc / MILLICREDITS,
  extra_metadata: row.extra_metadata,
  created_at: row.created_at.toISOString(),
});

/** Lists a page of the wallet's ledger, newest first. @throws ApiError 400 for a cursor of another list */
export async function listLedger(
  deps: Pick<SubscriptionDeps, 'db' | 'config'>,
  scope: Scope,
  page: LedgerQuery,
): Promise<object> {
  const { rows, nextCursor } = await readCursorPage(deps.config.auth, page, {
    name: `wallet-ledger/${scope.organizationId}/${scope.caller.userId}`,
    read: (read) => readLedger(deps.db, scope.organizationId, read),
    readPosition: readCreation,
  });
  return { items: rows.map(presentEntry), next_cursor: nextCursor };
}
