/** Wire shapes of subscriptions. Amounts are credits; 100 are one currency unit (SPEC API-credits). */
import { z } from 'zod';
import { cursor, integer, limit } from '../../http/paginate.ts';
import { jsonObject, moment, uuid } from '../../http/wire.ts';

/** 100,000 currency units; a larger payment is probably a mistake. */
const MAX_TOPUP = 10_000_000;

export const extraUsageBody = z.object({ enabled: z.boolean() }).meta({ id: 'ExtraUsageChange' });
export const topupBody = z.object({ amount: z.int().min(1).max(MAX_TOPUP) }).meta({ id: 'CreateTopup' });

/** Null is unlimited. */
const entitlement = z.int().nullable();
const subscription = {
  organization_id: uuid,
  plan: z.string(),
  is_suspended: z.boolean(),
  period_start: moment,
  period_end: moment,
  credits: z
    .looseObject({
      used: z.number(),
      reserved: z.number(),
      limit: entitlement,
      remaining: z.number().nullable(),
    })
    .meta({ id: 'Credits' }),
  wallet: z.looseObject({ balance: z.number(), extra_usage_enabled: z.boolean() }).meta({ id: 'Wallet' }),
  entitlements: z
    .looseObject({ sync_exec: entitlement, api: entitlement, knowledge_bases: entitlement })
    .meta({ id: 'Entitlements' }),
};
export const subscriptionReply = z.looseObject(subscription).meta({ id: 'Subscription' });
export const paidGate = z
  .looseObject({ detail: z.looseObject({ reason: z.string() }) })
  .meta({ id: 'PaidSubscriptionRequired' });
export const topupReply = z.looseObject({ checkout_url: z.string() }).meta({ id: 'Topup' });

export const ledgerQuery = z.object({ limit: limit(20), cursor });
export type LedgerQuery = z.output<typeof ledgerQuery>;
const entry = z
  .looseObject({
    id: uuid,
    kind: z.enum(['topup', 'usage', 'adjustment']),
    amount: z.number(),
    balance: z.number(),
    extra_metadata: jsonObject,
    created_at: moment,
  })
  .meta({ id: 'WalletLedgerEntry' });
export const ledgerReply = z
  .looseObject({ items: z.array(entry), next_cursor: z.string().nullable() })
  .meta({ id: 'WalletLedgerPage' });

const DEFAULT_DAYS = 30;
/** A quarter. */
const MAX_DAYS = 90;
export const dailyUsageQuery = z.object({
  days: integer(1, MAX_DAYS)
    .optional()
    .transform((value) => value ?? DEFAULT_DAYS)
    .meta({
      description: 'Number of days up to today',
      override: { type: 'integer', minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS },
    }),
});
const dayOfUsage = z
  .looseObject({
    day: z.iso.date(),
    credits: z.number(),
    runs: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
  })
  .meta({ id: 'DayOfUsage' });
export const dailyUsageReply = z.looseObject({ days: z.array(dayOfUsage) }).meta({ id: 'DailyUsage' });
