/** The wallet: prepaid credits, changed only by entries of an append-only ledger. */
import type { Scope } from '../access/caller.ts';
import { composePage, type PageRead } from '../../base/db/keyset.ts';
import type { Sql } from '../../base/db/client.ts';
import { ApiError } from '../../base/errors.ts';
import { isPaid } from './plans.ts';

/** @throws ApiError 402 shape B for an organization on the free plan (SPEC API-wallet) */
export function requirePaid({ subscription }: Pick<Scope, 'subscription'>): void {
  if (isPaid(subscription)) return;
  const code = 'paid_subscription_required';
  throw new ApiError({ shape: 'B', status: 402, code, detail: { reason: code } });
}

/** Enables or disables the use of the wallet beyond the monthly credits. */
export async function setOverage(sql: Sql, organizationId: string, isEnabled: boolean): Promise<void> {
  await sql.query('UPDATE credit_accounts SET is_overage_enabled = $2 WHERE organization_id = $1', [
    organizationId,
    isEnabled,
  ]);
}

/** Sets the balance for the operator by adding an adjustment entry. Call in a transaction. */
export async function setBalance(tx: Sql, organizationId: string, balanceMc: number): Promise<void> {
  const [account] = await tx.query<{ wallet_mc: number }>(
    'SELECT wallet_mc FROM credit_accounts WHERE organization_id = $1 FOR NO KEY UPDATE',
    [organizationId],
  );
  const difference = balanceMc - (account?.wallet_mc ?? 0);
  if (difference === 0) return;
  await tx.query(
    `INSERT INTO wallet_ledger (organization_id, kind, amount_mc, extra_metadata) VALUES ($1, 'adjustment', $2, $3::jsonb)`,
    [organizationId, difference, JSON.stringify({ by: 'operator' })],
  );
}

export interface LedgerRow {
  readonly id: string;
  readonly kind: 'topup' | 'usage' | 'adjustment';
  readonly amount_mc: number;
  readonly balance_mc: number;
  readonly extra_metadata: object;
  readonly created_at: Date;
}

/** Reads a page of the entries of a wallet, newest first. */
export async function readLedger(sql: Sql, organizationId: string, page: PageRead): Promise<LedgerRow[]> {
  const params: unknown[] = [organizationId];
  const { condition, tail } = composePage(params, page, ['created_at', 'id']);
  return sql.query<LedgerRow>(
    `SELECT id, kind, amount_mc, balance_mc, extra_metadata, created_at FROM wallet_ledger
     WHERE organization_id = $1 AND ${condition} ${tail}`,
    params,
  );
}
