/** SPEC REL-G10 as questions to the records: what was reserved is released, and every use was charged once. */
import type { Sql } from '../../../src/base/db/client.ts';
import { eventually } from '../../support/waiting.ts';

/** What settlement leaves to the reconciler: use written down after the end of its run, a minute later. */
const LEFT_WITHIN_MS = 120_000;

interface Books {
  readonly organization_id: string;
  readonly reserved: number;
  readonly reservations: number;
  readonly wallet: number;
  readonly ledger: number;
  readonly used: number;
  readonly spent: number;
  readonly metered: number;
}

// Accounts begin empty, and the month does not end while a test runs: what was metered is all that was ever charged. An
// attempt that was cancelled may write down more between two looks, which nobody has been charged with yet.
const BOOKS = `
  SELECT a.organization_id, a.reserved_mc AS reserved, a.wallet_mc AS wallet, a.used_mc AS used,
         (SELECT coalesce(sum(r.amount_mc), 0)::bigint FROM credit_reservations r
          WHERE r.organization_id = a.organization_id) AS reservations,
         (SELECT coalesce(sum(l.amount_mc), 0)::bigint FROM wallet_ledger l
          WHERE l.organization_id = a.organization_id) AS ledger,
         (SELECT coalesce(-sum(l.amount_mc), 0)::bigint FROM wallet_ledger l
          WHERE l.organization_id = a.organization_id AND l.kind = 'usage') AS spent,
         (SELECT coalesce(sum(u.credits_mc), 0)::bigint FROM credit_usage u
          WHERE u.organization_id = a.organization_id AND u.is_settled) AS metered
  FROM credit_accounts a`;

const CHARGED_TWICE = `
  SELECT run_pk FROM wallet_ledger l, jsonb_array_elements_text(l.extra_metadata->'run_pks') AS run_pk
  WHERE l.kind = 'usage' GROUP BY run_pk
  HAVING count(*) > 1 + (SELECT count(*) FROM credit_usage u WHERE u.subject_id = run_pk::uuid)`;

/** Waits until nothing is reserved or left to charge. @throws naming what is left */
async function closedBooks(db: Sql): Promise<void> {
  let left: unknown[] = [];
  await eventually('the books to be closed', LEFT_WITHIN_MS, async () => {
    left = await db.query(
      `SELECT 'reservation' AS what, subject_id FROM credit_reservations
       UNION ALL SELECT 'usage', subject_id FROM credit_usage WHERE NOT is_settled`,
    );
    return left.length === 0 ? true : null;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; still open: ${JSON.stringify(left)}`);
  });
}

/** What the books contradict. Call when the runs have `settled`. */
export async function falseBooks(db: Sql): Promise<string[]> {
  await closedBooks(db);
  const found: string[] = [];
  for (const books of await db.query<Books>(BOOKS)) {
    const { reserved, reservations, wallet, ledger, used, spent, metered } = books;
    const about = `REL-G10: organization ${books.organization_id}:`;
    if (reserved !== reservations)
      found.push(`${about} ${reserved} reserved, reservations of ${reservations}`);
    if (wallet !== ledger) found.push(`${about} a wallet of ${wallet}, a ledger of ${ledger}`);
    if (used + spent !== metered) found.push(`${about} charged ${used} and ${spent}, metered ${metered}`);
  }
  const twice = await db.query<{ run_pk: string }>(CHARGED_TWICE);
  return [...found, ...twice.map((row) => `REL-G10: run ${row.run_pk} was charged more often than it used`)];
}
