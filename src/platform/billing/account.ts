/** An organization's credit account: reads it, and sets its usage for the operator. */
import type { Sql } from '../../base/db/client.ts';
import { MILLICREDITS } from './plans.ts';

/** Amounts in credits. The period is the current month of the database's clock, in UTC. */
interface Account {
  readonly used: number;
  readonly reserved: number;
  readonly balance: number;
  readonly isOverageEnabled: boolean;
  readonly periodStart: Date;
  readonly periodEnd: Date;
}

interface AccountRow {
  readonly used_mc: number;
  readonly reserved_mc: number;
  readonly wallet_mc: number;
  readonly is_overage_enabled: boolean;
  readonly period_start: Date;
  readonly period_end: Date;
}

const READ_ACCOUNT = `
  SELECT CASE WHEN a.period = m.starts::date THEN a.used_mc ELSE 0 END AS used_mc, a.reserved_mc, a.wallet_mc,
         a.is_overage_enabled, m.starts AT TIME ZONE 'UTC' AS period_start,
         (m.starts + interval '1 month') AT TIME ZONE 'UTC' AS period_end
  FROM credit_accounts a, (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AS starts) AS m
  WHERE a.organization_id = $1`;

/** Reads the account of an organization. @throws Error when the organization does not exist */
export async function readAccount(sql: Sql, organizationId: string): Promise<Account> {
  const [row] = await sql.query<AccountRow>(READ_ACCOUNT, [organizationId]);
  if (row === undefined) throw new Error(`organization ${organizationId} has no account`);
  return {
    used: row.used_mc / MILLICREDITS,
    reserved: row.reserved_mc / MILLICREDITS,
    balance: row.wallet_mc / MILLICREDITS,
    isOverageEnabled: row.is_overage_enabled,
    periodStart: row.period_start,
    periodEnd: row.period_end,
  };
}

/** Sets the usage of the current month, in millicredits. */
export async function setUsed(sql: Sql, organizationId: string, usedMc: number): Promise<void> {
  await sql.query(
    `UPDATE credit_accounts SET used_mc = $2, period = date_trunc('month', now() AT TIME ZONE 'UTC')
     WHERE organization_id = $1`,
    [organizationId, usedMc],
  );
}
