/** The money of an organization in tests: setting its terms, and looking at its books. */
import type { Db } from '../../src/base/db/client.ts';

export interface Terms {
  readonly plan?: string;
  readonly used?: number;
  readonly overage?: boolean;
  readonly wallet?: number;
  readonly suspended?: boolean;
  readonly entitlements?: Readonly<Record<string, number | null>>;
}

/** Sets the terms; amounts are credits. What is not named is as for a new organization. */
export async function setTerms(db: Db, org: string, terms: Terms): Promise<void> {
  await db.query('UPDATE organizations SET plan = $2, entitlements = $3, is_suspended = $4 WHERE id = $1', [
    org,
    terms.plan ?? 'free',
    JSON.stringify(terms.entitlements ?? {}),
    terms.suspended ?? false,
  ]);
  await db.query(
    `UPDATE credit_accounts SET used_mc = $2, is_overage_enabled = $3, period = date_trunc('month', now() AT TIME ZONE 'UTC')
     WHERE organization_id = $1`,
    [org, (terms.used ?? 0) * 1_000, terms.overage ?? false],
  );
  if (terms.wallet === undefined || terms.wallet === 0) return;
  await db.query(
    `INSERT INTO wallet_ledger (organization_id, kind, amount_mc) VALUES ($1, 'adjustment', $2)`,
    [org, terms.wallet * 1_000],
  );
}

export interface Books {
  readonly used: number;
  readonly reserved: number;
  readonly wallet: number;
  /** Sum of the ledger: always the wallet. */
  readonly ledger: number;
  /** Sum of the reservations: always what is reserved. */
  readonly reservations: number;
}

/** The books of an organization, in millicredits. */
export async function booksOf(db: Db, org: string): Promise<Books> {
  const [books] = await db.query<Books>(
    `SELECT used_mc AS used, reserved_mc AS reserved, wallet_mc AS wallet,
            (SELECT coalesce(sum(amount_mc), 0)::bigint FROM wallet_ledger l WHERE l.organization_id = a.organization_id) AS ledger,
            (SELECT coalesce(sum(amount_mc), 0)::bigint FROM credit_reservations r WHERE r.organization_id = a.organization_id) AS reservations
     FROM credit_accounts a WHERE organization_id = $1`,
    [org],
  );
  if (books === undefined) throw new Error(`there is no account of ${org}`);
  return books;
}
