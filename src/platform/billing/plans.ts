/**
 * The plans and their entitlements (SPEC SRV-plans). The operator can override each for an organization. Null means no limit, 0
 * that nothing is allowed.
 */
import type { Subscription } from '../access/caller.ts';

/** Millicredits in a credit. Accounts count in millicredits, so that every price is a whole number. */
export const MILLICREDITS = 1_000;

/** Of a file: as large as an attachment of any mail, and a scan of hundreds of pages. */
const FILE_BYTES = 100 * 1024 ** 2;
const GIB = 1024 ** 3;

interface Entitlements {
  /** Credits per calendar month (UTC). */
  readonly monthly_credits: number | null;
  /** Runs per minute. */
  readonly sync_exec: number | null;
  /** Requests per minute of the organization; administrative requests are not counted. */
  readonly api: number | null;
  readonly knowledge_bases: number | null;
  /** Requests per minute of one service account. */
  readonly service_account: number | null;
  /** Concurrent runs at which workflows and schedules start no further one. Clients may: `sync_exec` limits them. */
  readonly runs_under_way: number | null;
  readonly tables: number | null;
  /** Rows of one table. */
  readonly table_rows: number | null;
  /** Bytes of the value of one row, as JSON. */
  readonly table_row_bytes: number | null;
  /** Bytes of all files. */
  readonly file_bytes: number | null;
  /** Bytes of one file. */
  readonly file_size_bytes: number | null;
  /** Integration types that the organization makes. */
  readonly integration_types: number | null;
}
type EntitlementKey = keyof Entitlements;

export const PLANS = {
  free: {
    monthly_credits: 500,
    sync_exec: 10,
    api: 60,
    knowledge_bases: 3,
    service_account: 300,
    runs_under_way: 1_000,
    tables: 3,
    table_rows: 1_000,
    table_row_bytes: 16_384,
    file_bytes: GIB,
    file_size_bytes: FILE_BYTES,
    integration_types: 5,
  },
  pro: {
    monthly_credits: 5_000,
    sync_exec: 60,
    api: 300,
    knowledge_bases: 20,
    service_account: 1_000,
    runs_under_way: 5_000,
    tables: 20,
    table_rows: 20_000,
    table_row_bytes: 65_536,
    file_bytes: 10 * GIB,
    file_size_bytes: FILE_BYTES,
    integration_types: 50,
  },
  max: {
    monthly_credits: 20_000,
    sync_exec: 200,
    api: 600,
    knowledge_bases: 100,
    service_account: 3_000,
    runs_under_way: 10_000,
    tables: 200,
    table_rows: 100_000,
    table_row_bytes: 65_536,
    file_bytes: 100 * GIB,
    file_size_bytes: FILE_BYTES,
    integration_types: 200,
  },
  enterprise: {
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
    file_size_bytes: FILE_BYTES,
    integration_types: 500,
  },
} as const satisfies Record<string, Entitlements>;
type Plan = keyof typeof PLANS;

export const ENTITLEMENT_KEYS = Object.keys(PLANS.free) as readonly EntitlementKey[];

const isPlan = (name: string): name is Plan => Object.hasOwn(PLANS, name);

/** True for a plan with a wallet: every one except `free`. */
export const isPaid = (subscription: Subscription): boolean => subscription.plan !== 'free';

/**
 * Resolves the entitlements of an organization: those of its plan, overridden by the operator.
 * @throws Error for an unknown plan, which a database constraint excludes
 */
export function resolveEntitlements({ plan, overrides }: Subscription): Entitlements {
  if (!isPlan(plan)) throw new Error(`unknown plan: ${plan}`);
  const entitlement = (key: EntitlementKey): number | null => {
    const own = Object.hasOwn(overrides, key) ? overrides[key] : undefined;
    return own === undefined ? PLANS[plan][key] : own;
  };
  return {
    monthly_credits: entitlement('monthly_credits'),
    sync_exec: entitlement('sync_exec'),
    api: entitlement('api'),
    knowledge_bases: entitlement('knowledge_bases'),
    service_account: entitlement('service_account'),
    runs_under_way: entitlement('runs_under_way'),
    tables: entitlement('tables'),
    table_rows: entitlement('table_rows'),
    table_row_bytes: entitlement('table_row_bytes'),
    file_bytes: entitlement('file_bytes'),
    file_size_bytes: entitlement('file_size_bytes'),
    integration_types: entitlement('integration_types'),
  };
}

/** Returns the maximum of requests per minute of a service account of the organization; null without one. */
export const findAccountLimit = (subscription: Subscription): number | null =>
  resolveEntitlements(subscription).service_account;
