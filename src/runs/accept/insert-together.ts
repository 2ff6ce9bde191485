/**
 * Runs of one organization that are requested at the same moment become durable together: they would wait for each
 * other's locks on the organization's account anyway. Organizations never wait for each other here.
 */
import type { Sql } from '../../db/client.ts';
import { GroupCommit } from '../ledger/group-commit.ts';
import { insertRuns, type InsertedRow, type RunToInsert } from './insert-runs.ts';

/** Statements of one organization under way. */
const AT_ONCE = 2;

const inserts = new GroupCommit<RunToInsert, InsertedRow>(async (sql, runs) => {
  const rows = await insertRuns(sql, runs);
  return rows.toSorted((a, b) => a.place - b.place);
}, AT_ONCE);

/**
 * Inserts a run on a thread of its own, in a transaction with others of its organization.
 * @throws as the statement does, for this run alone
 */
export function insertTogether(db: Sql, run: RunToInsert): Promise<InsertedRow> {
  return inserts.write(db, run.organization_id, run);
}
