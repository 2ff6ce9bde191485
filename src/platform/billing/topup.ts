/** Top-ups of the wallet: the port to the payment provider, and the credit of a payment. */
import type { Sql } from '../../base/db/client.ts';
import { MILLICREDITS } from './plans.ts';

export interface TopupRequest {
  readonly organizationId: string;
  /** The organization's customer id at the provider; null before its first payment. */
  readonly customerId: string | null;
  /** Whole credits; 100 are one currency unit (SPEC API-credits). */
  readonly credits: number;
}

export interface StartedTopup {
  /** The page where the person pays. The wallet is credited when the provider confirms (`creditTopup`). */
  readonly checkoutUrl: string;
}

/** A payment confirmed by the provider. */
export interface Payment {
  /** The provider's id of the payment, under which it is credited once. */
  readonly reference: string;
  readonly organizationId: string;
  readonly customerId: string | null;
  readonly credits: number;
}

export interface TopupPort {
  /** Creates a payment page. @throws ApiError 400 for an amount that the provider rejects, 503 when it cannot be reached */
  begin(request: TopupRequest): Promise<StartedTopup>;
  /**
   * Verifies and reads a webhook message.
   * @returns null for a message without a payment
   * @throws ApiError 400 when the provider's signature is invalid
   */
  confirm(message: Buffer, signature: string): Payment | null;
}

/**
 * Credits a payment to the wallet. Call in a transaction.
 * @returns `known` when it was credited before; `gone` when the organization was deleted and the payment must be refunded
 */
export async function creditTopup(tx: Sql, payment: Payment): Promise<'credited' | 'known' | 'gone'> {
  const { organizationId, reference, credits, customerId } = payment;
  // The lock serializes repetitions; with `ON CONFLICT` the wallet's trigger would fire before the conflict is found.
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
