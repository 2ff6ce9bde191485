/**
 * Runs of one organization that are requested at the same moment become durable together: they would wait for each
 * other's locks on the organization's account anyway, and share one flush to disk. Organizations never wait for each
 * other here.
 */
import { AskedTogether } from '../db/asked-together.ts';
import type { Sql } from '../db/client.ts';
import { insertRuns, type InsertedRow, type RunToInsert } from './insert-runs.ts';

/** Statements of one organization under way. */
const AT_ONCE = 2;

/** A run that could not be inserted, and why. */
interface Broken {
  readonly place: number;
  readonly broken: unknown;
}

interface Group {
  readonly together: AskedTogether<InsertedRow | Broken>;
  waiting: number;
}

/** Errors of what a statement holds, not of the server: classes 22 and 23, and the deadlock. */
function isOfOneRun(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^(?:2[23]\w{3}|40P01)$/.test(code);
}

/** Inserts runs in one statement; one by one where one of them breaks it for all. */
async function insertAll(sql: Sql, runs: readonly RunToInsert[]): Promise<(InsertedRow | Broken)[]> {
  try {
    return await insertRuns(sql, runs);
  } catch (error) {
    if (runs.length === 1 || !isOfOneRun(error)) throw error;
  }
  const alone = runs.map(async (run, at): Promise<InsertedRow | Broken> => {
    try {
      const [row] = await insertRuns(sql, [run]);
      return row === undefined
        ? { place: at + 1, broken: new Error('the run was not inserted') }
        : { ...row, place: at + 1 };
    } catch (broken) {
      return { place: at + 1, broken };
    }
  });
  return Promise.all(alone);
}

const groupsOf = new WeakMap<Sql, Map<string, Group>>();

function groupOf(groups: Map<string, Group>, sql: Sql, organizationId: string): Group {
  const known = groups.get(organizationId);
  if (known !== undefined) return known;
  const run = ([runs]: unknown[][]) => insertAll(sql, runs as RunToInsert[]);
  const made: Group = { together: new AskedTogether<InsertedRow | Broken>(run, AT_ONCE), waiting: 0 };
  groups.set(organizationId, made);
  return made;
}

/**
 * Inserts a run on a thread of its own, in a transaction with others of its organization.
 * @throws as the statement does, for this run alone
 */
export async function insertTogether(db: Sql, run: RunToInsert): Promise<InsertedRow> {
  const groups = groupsOf.get(db) ?? new Map<string, Group>();
  groupsOf.set(db, groups);
  const group = groupOf(groups, db, run.organization_id);
  group.waiting += 1;
  try {
    const [row] = await group.together.ask([run]);
    if (row === undefined) throw new Error('the run was not inserted');
    if ('broken' in row) throw row.broken;
    return row;
  } finally {
    group.waiting -= 1;
    if (group.waiting === 0) groups.delete(run.organization_id);
  }
}
