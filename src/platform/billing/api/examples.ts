/** Examples of plans, credits and the wallet. */
import type { RowExamples } from '../../http/route.ts';
import { AT, IDS } from '../../http/docs/example-ids.ts';

const subscription = {
  organization_id: IDS.organization,
  plan: 'pro',
  is_suspended: false,
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  credits: { used: 812.5, reserved: 1, limit: 5_000, remaining: 4_186.5 },
  wallet: { balance: 2_500, extra_usage_enabled: true },
  entitlements: {
    sync_exec: 60,
    api: 300,
    knowledge_bases: 20,
    tables: 20,
    table_rows: 20_000,
    table_row_bytes: 65_536,
    file_bytes: 10_737_418_240,
    file_size_bytes: 104_857_600,
    integration_types: 50,
  },
};
const unpaid = { detail: { reason: 'paid_subscription_required' } };

export const SUBSCRIPTION_EXAMPLES: RowExamples = {
  'POST /webhooks/stripe': {
    request: {
      id: 'evt_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { id: 'cs_1', payment_status: 'paid' } },
    },
    replies: { 200: { received: true } },
  },
  'GET /subscriptions': { replies: { 200: subscription } },
  'GET /subscriptions/usage/daily': {
    replies: {
      200: {
        days: [
          { day: '2026-11-01', credits: 0, runs: 0, input_tokens: 0, output_tokens: 0 },
          { day: '2026-11-02', credits: 12.5, runs: 4, input_tokens: 8_120, output_tokens: 1_940 },
        ],
      },
    },
  },
  'GET /subscriptions/wallet/ledger': {
    replies: {
      200: {
        items: [
          {
            id: IDS.message,
            kind: 'usage',
            amount: -12.5,
            balance: 2_500,
            extra_metadata: { run_pk: IDS.runPk },
            created_at: AT,
          },
        ],
        next_cursor: null,
      },
    },
  },
  'POST /subscriptions/wallet/extra-usage': {
    request: { enabled: true },
    replies: { 200: subscription, 402: unpaid },
  },
  'POST /subscriptions/wallet/topup': {
    request: { amount: 2_500 },
    replies: { 200: { checkout_url: 'https://company.example/checkout' }, 402: unpaid },
  },
};
