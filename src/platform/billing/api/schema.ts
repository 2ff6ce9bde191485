/** Wire shapes of subscriptions. Amounts are credits; 100 are one currency unit (SPEC API-credits). */
import { z } from 'zod';
import { cursor, integer, limit } from '../../http/paginate.ts';
import { jsonObject, moment } from '../../http/wire.ts';
import { createdAt, nextCursor, owningOrganizationId, uniqueId } from '../../http/fields.ts';

/** 100,000 currency units; a larger payment is probably a mistake. */
const MAX_TOPUP = 10_000_000;

export const extraUsageBody = z
  .object({
    enabled: z
      .boolean()
      .meta({ description: 'Whether to charge usage beyond the monthly credits to the wallet' }),
  })
  .meta({ id: 'ExtraUsageChange' });
export const topupBody = z
  .object({
    amount: z
      .int()
      .min(1)
      .max(MAX_TOPUP)
      .meta({ description: 'Credits to buy; 100 credits are one currency unit' }),
  })
  .meta({ id: 'CreateTopup' });

/** Null is unlimited. */
const entitlement = z.int().nullable();
const subscription = {
  organization_id: owningOrganizationId,
  plan: z.string().meta({ description: 'Name of the plan, such as `pro`' }),
  is_suspended: z.boolean().meta({ description: 'Whether the operator has suspended the subscription' }),
  period_start: moment.meta({ description: 'Start of the billing month, ISO 8601 UTC' }),
  period_end: moment.meta({ description: 'End of the billing month, ISO 8601 UTC' }),
  credits: z
    .looseObject({
      used: z.number().meta({ description: 'Credits used this month' }),
      reserved: z.number().meta({ description: 'Credits reserved for work in progress' }),
      limit: entitlement.meta({ description: 'Monthly credits of the plan; null: unlimited' }),
      remaining: z.number().nullable().meta({ description: 'Credits left this month; null: unlimited' }),
    })
    .meta({ id: 'Credits' })
    .meta({ description: 'Credits of the billing month; 100 credits are one currency unit' }),
  wallet: z
    .looseObject({
      balance: z.number().meta({ description: 'Credits in the wallet' }),
      extra_usage_enabled: z
        .boolean()
        .meta({ description: 'Whether usage beyond the monthly credits is charged to the wallet' }),
    })
    .meta({ id: 'Wallet' })
    .meta({ description: 'Prepaid credits for usage beyond the monthly credits' }),
  entitlements: z
    .looseObject({
      sync_exec: entitlement.meta({
        description: 'Maximum number of runs in 60 seconds; null: unlimited, 0: none',
      }),
      api: entitlement.meta({
        description: 'Maximum number of requests in 60 seconds; null: unlimited, 0: none',
      }),
      knowledge_bases: entitlement.meta({
        description: 'Maximum number of knowledge bases; null: unlimited, 0: none',
      }),
      tables: entitlement.meta({ description: 'Maximum number of tables; null: unlimited, 0: none' }),
      table_rows: entitlement.meta({
        description: 'Maximum number of rows of one table; null: unlimited, 0: none',
      }),
      table_row_bytes: entitlement.meta({
        description: 'Maximum bytes of the value of one row as JSON; null: unlimited, 0: none',
      }),
      file_bytes: entitlement.meta({
        description:
          'Maximum bytes of all files, each of which counts 1 KiB at least; null: unlimited, 0: none',
      }),
      file_size_bytes: entitlement.meta({
        description: 'Maximum bytes of one file; null: unlimited, 0: only empty ones',
      }),
      integration_types: entitlement.meta({
        description:
          'Maximum number of integration types that the organization makes; null: unlimited, 0: none',
      }),
    })
    .meta({ id: 'Entitlements' })
    .meta({ description: 'Limits of the plan' }),
};
export const subscriptionReply = z.looseObject(subscription).meta({ id: 'Subscription' });
export const paidGate = z
  .looseObject({
    detail: z
      .looseObject({
        reason: z
          .string()
          .meta({ description: 'Stable reason of the refusal: `paid_subscription_required`' }),
      })
      .meta({ description: 'Description of the error' }),
  })
  .meta({ id: 'PaidSubscriptionRequired' });
export const topupReply = z
  .looseObject({ checkout_url: z.string().meta({ description: 'URL of the checkout page' }) })
  .meta({ id: 'Topup' });

export const ledgerQuery = z.object({ limit: limit(20), cursor });
export type LedgerQuery = z.output<typeof ledgerQuery>;
const entry = z
  .looseObject({
    id: uniqueId,
    kind: z
      .enum(['topup', 'usage', 'adjustment'])
      .meta({ description: 'Top-up, usage, or adjustment by the operator' }),
    amount: z.number().meta({ description: 'Change in credits; negative for usage' }),
    balance: z.number().meta({ description: 'Credits in the wallet after the entry' }),
    extra_metadata: jsonObject.meta({ description: 'Free-form metadata' }),
    created_at: createdAt,
  })
  .meta({ id: 'WalletLedgerEntry' });
export const ledgerReply = z
  .looseObject({
    items: z.array(entry).meta({ description: 'The items of this page' }),
    next_cursor: nextCursor,
  })
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
    day: z.iso.date().meta({ description: 'The day in UTC, ISO 8601' }),
    credits: z.number().meta({
      description: 'Credits charged for work that started that day; 100 credits are one currency unit',
    }),
    runs: z.int().meta({ description: 'Number of runs that started that day, without sub-workflows' }),
    input_tokens: z
      .int()
      .meta({ description: "Input tokens of models, including those on the organization's own accounts" }),
    output_tokens: z
      .int()
      .meta({ description: "Output tokens of models, including those on the organization's own accounts" }),
  })
  .meta({ id: 'DayOfUsage' });
export const dailyUsageReply = z
  .looseObject({ days: z.array(dayOfUsage).meta({ description: 'Usage per day, oldest first' }) })
  .meta({ id: 'DailyUsage' });
