/** Topping the wallet up through a payment provider, as the API sees it. What stands behind it is built at start. */
import type { Sql } from '../db/client.ts';
import { MILLICREDITS } from './plans.ts';

export interface TopupRequest {
  readonly organizationId: string;
  /** The organization at the provider, once it has paid there. */
  readonly customerId: string | null;
  /** Whole credits; 100 are one currency unit (SPEC API-credits). */
  readonly credits: number;
}

export interface StartedTopup {
  /** Where the person pays. The wallet moves when the provider confirms (`creditTopup`). */
  readonly checkoutUrl: string;
}

/** A payment that the provider vouches for. */
export interface Payment {
  /** The provider's own id of it: one payment is credited once, however often it is told of. */
  readonly reference: string;
  readonly organizationId: string;
  readonly customerId: string | null;
  readonly credits: number;
}

export interface TopupPort {
  /** @throws ApiError 400 for an amount that the provider does not take, 503 when it cannot be reached */
  begin(request: TopupRequest): Promise<StartedTopup>;
  /**
   * What the provider says in a message of its own accord.
   * @returns null for a message that moves no wallet
   * @throws ApiError 400 for a message that is not the provider's
   */
  confirm(message: Buffer, signature: string): Payment | null;
}

/**
 * Puts a payment into the wallet. Call in a transaction.
 * @returns `known` when it has been credited before; `gone` when there is no wallet for it: the money has to be given back
 */
export async function creditTopup(tx: Sql, payment: Payment): Promise<'credited' | 'known' | 'gone'> {
  const { organizationId, reference, credits, customerId } = payment;
  // The lock makes repetitions wait for each other; `ON CONFLICT` would move the wallet before it found the conflict.
  const accounts = await tx.query('SELECT 1 FROM credit_accounts WHERE organization_id = $1 FOR UPDATE', [
    organizationId,
  ]);
  const known = await tx.query(`SELECT 1 FROM wallet_ledger WHERE kind = 'topup' AND reference = $1`, [
    reference,
  ]);
  if (known.length > 0) return 'known';
  if (accounts.length === 0) return 'gone';
  await tx.query(
    `INSERT INTO wallet_ledger (organization_id, kind, amount_mc, reference, extra_metadata)
     VALUES ($1, 'topup', $2, $3, $4::jsonb)`,
    [organizationId, credits * MILLICREDITS, reference, JSON.stringify({ payment: reference })],
  );
  await tx.query(
    `UPDATE organizations SET stripe_customer_id = $2 WHERE id = $1 AND stripe_customer_id IS NULL AND $2::text IS NOT NULL`,
    [organizationId, customerId],
  );
  return 'credited';
}
