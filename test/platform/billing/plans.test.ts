/** An organization would get the limits of another plan, or pay a wrong price for tokens. */
import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../src/platform/access/caller.ts';
import {
  buildAdmission,
  toRefusal,
  requireQuota,
  type Verdict,
} from '../../../src/platform/billing/admission.ts';
import { resolveEntitlements, isPaid } from '../../../src/platform/billing/plans.ts';
import { computeTokenPrice } from '../../../src/platform/billing/prices.ts';

const on = (plan: string, more: Partial<Subscription> = {}): Subscription => ({
  plan,
  overrides: {},
  isSuspended: false,
  ...more,
});
const organizationId = '00000000-0000-4000-8000-000000000000';

describe('plans', () => {
  test.each([
    [
      'free',
      false,
      {
        monthly_credits: 500,
        sync_exec: 10,
        api: 60,
        knowledge_bases: 3,
        service_account: 300,
        runs_under_way: 1_000,
        tables: 3,
        table_rows: 1_000,
        table_row_bytes: 16_384,
        file_bytes: 1_073_741_824,
        file_size_bytes: 104_857_600,
        integration_types: 5,
      },
    ],
    [
      'pro',
      true,
      {
        monthly_credits: 5_000,
        sync_exec: 60,
        api: 300,
        knowledge_bases: 20,
        service_account: 1_000,
        runs_under_way: 5_000,
        tables: 20,
        table_rows: 20_000,
        table_row_bytes: 65_536,
        file_bytes: 10_737_418_240,
        file_size_bytes: 104_857_600,
        integration_types: 50,
      },
    ],
    [
      'max',
      true,
      {
        monthly_credits: 20_000,
        sync_exec: 200,
        api: 600,
        knowledge_bases: 100,
        service_account: 3_000,
        runs_under_way: 10_000,
        tables: 200,
        table_rows: 100_000,
        table_row_bytes: 65_536,
        file_bytes: 107_374_182_400,
        file_size_bytes: 104_857_600,
        integration_types: 200,
      },
    ],
    [
      'enterprise',
      true,
      {
        monthly_credits: null,
        sync_exec: null,
        api: null,
        knowledge_bases: null,
        service_account: null,
        runs_under_way: 20_000,
        tables: null,
        table_rows: 1_000_000,
        table_row_bytes: 65_536,
        file_bytes: null,
        file_size_bytes: 104_857_600,
        integration_types: 500,
      },
    ],
  ])('%s', (plan, paid, entitlements) => {
    expect([isPaid(on(plan)), resolveEntitlements(on(plan))]).toEqual([paid, entitlements]);
  });

  test('the operator overrides single entitlements, with null and 0, too', () => {
    const overrides = { sync_exec: null, api: 0, monthly_credits: 7, unknown: 1 };
    expect(resolveEntitlements(on('free', { overrides }))).toEqual({
      monthly_credits: 7,
      sync_exec: null,
      api: 0,
      knowledge_bases: 3,
      service_account: 300,
      runs_under_way: 1_000,
      tables: 3,
      table_rows: 1_000,
      table_row_bytes: 16_384,
      file_bytes: 1_073_741_824,
      file_size_bytes: 104_857_600,
      integration_types: 5,
    });
  });

  test('an unknown plan is an error, not an unlimited one', () => {
    for (const plan of ['gold', '__proto__', 'toString', '']) {
      expect(() => resolveEntitlements(on(plan))).toThrow('unknown plan');
    }
  });
});

describe('the gate', () => {
  test('its terms are the entitlements, in millicredits', () => {
    expect(buildAdmission({ organizationId, subscription: on('pro') })).toEqual({
      organizationId,
      amountMc: 1_000,
      monthlyMc: 5_000_000,
      isPaid: true,
      runRate: 60,
    });
    const unlimited = buildAdmission({ organizationId, subscription: on('enterprise') }, 5);
    expect(unlimited).toMatchObject({ amountMc: 5, monthlyMc: null, runRate: null });
  });

  test('a verdict without a refusal admits', () => {
    const verdict: Verdict = { refusal: null, current_value: null, limit_value: null, retry_after: null };
    expect(toRefusal(verdict)).toBeNull();
  });

  test('a wait is never longer than the window', () => {
    const verdict: Verdict = {
      refusal: 'rate_limit_exceeded',
      current_value: 9,
      limit_value: 9,
      retry_after: 61,
    };
    expect(toRefusal(verdict)?.headers).toMatchObject({ 'Retry-After': '60', 'X-RateLimit-Limit': '9' });
  });

  test('things are counted against their quota', () => {
    const quota = (current: number, limit: number | null): (() => void) => {
      const subscription = on('pro', { overrides: { knowledge_bases: limit } });
      return () => requireQuota(subscription, 'knowledge_bases', current);
    };
    expect(quota(1, 2)).not.toThrow();
    expect(quota(1_000, null)).not.toThrow();
    for (const [current, limit] of [
      [2, 2],
      [3, 2],
      [0, 0],
    ] as const) {
      expect(quota(current, limit)).toThrow(
        expect.objectContaining({
          failure: {
            shape: 'D',
            denial: { code: 'quota_exceeded', key: 'knowledge_bases', current, limit },
          },
        }),
      );
    }
  });
});

describe('prices', () => {
  test.each([
    ['llm', 812, 140, 1_232],
    ['agent', 1, 1, 4],
    ['embedding', 15, 0, 2],
    ['embedding', 0, 0, 0],
    ['a kind without a price', 1, 1, 4],
    ['__proto__', 1, 1, 4],
  ])('%s: %i read and %i written cost %i millicredits', (kind, input, output, cost) => {
    expect(computeTokenPrice(kind, { input_tokens: input, output_tokens: output })).toBe(cost);
  });
});
