/** Fills a database with ended runs, as years of work leave them: one organization has a third of them. */
import type { Sql } from '../../src/base/db/client.ts';

/** The organization with a third of the runs. */
export const LARGE_ORGANIZATION = '00000000-0000-4000-8000-000000000000';
const ORGANIZATIONS = 300;
const STEPS = 3;
const EVENTS = 6;

/** @param index SQL: the number of a run; every third is of the large organization */
const organizationOf = (index: string): string =>
  `CASE WHEN ${index} % 3 = 0 THEN '${LARGE_ORGANIZATION}'::uuid
        ELSE ('00000000-0000-4000-8000-' || lpad(to_hex(1 + ${index} % ${ORGANIZATIONS}), 12, '0'))::uuid END`;
const runPkOf = (index: string): string => `md5('run ' || ${index})::uuid`;

/**
 * Stores runs `from` to `to` (exclusive) of `total` with three steps each, a second apart, the newest last. Those of the last day have
 * their events. @param ageDays days since the newest
 */
export async function storeRuns(
  sql: Sql,
  {
    from,
    to,
    total,
    ageDays = 0,
  }: { readonly from: number; readonly to: number; readonly total: number; readonly ageDays?: number },
): Promise<void> {
  const value = `json_build_object('customer', i, 'text', repeat(md5(i::text), 8))`;
  const at = `now() - make_interval(days => ${ageDays}, secs => ${total} - i)`;
  await sql.query(
    `INSERT INTO organizations (id, name, slug)
     SELECT DISTINCT id, 'Stored', id::text FROM (SELECT ${organizationOf('i')} AS id FROM generate_series(0, ${ORGANIZATIONS * 3}) i) o
     ON CONFLICT DO NOTHING`,
  );
  await sql.query(
    `INSERT INTO runs (id, root_run_pk, organization_id, workflow_id, definition_hash, workflow_name, workflow_version, workflow_source,
                       trigger_type, is_ad_hoc, status, input, output, last_seq, started_at, completed_at, last_event_at, created_at)
     SELECT ${runPkOf('i')}, ${runPkOf('i')}, ${organizationOf('i')}, md5('workflow ' || i % 1000)::uuid, 'hash', 'Stored', '1.0.0',
            'database', 'api', false, 'completed', ${value}, ${value}, ${EVENTS}, ${at}, ${at}, ${at}, ${at}
     FROM generate_series(${from}, ${to} - 1) i`,
  );
  await sql.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect, input,
                            output, outcome, ended, started_at, completed_at)
     SELECT md5('step ' || i || ' ' || s)::uuid, ${runPkOf('i')}, ${runPkOf('i')}, 'node_' || s, 'transform', 'Node', 1, 1, s, 'succeeded',
            'pure', ${value}, ${value}, '{}', s, ${at}, ${at}
     FROM generate_series(${from}, ${to} - 1) i, generate_series(1, ${STEPS}) s`,
  );
  await sql.query(
    `INSERT INTO run_events (run_pk, seq, type, payload, created_at)
     SELECT ${runPkOf('i')}, e, CASE WHEN e = ${EVENTS} THEN 'run_completed' WHEN e = 1 THEN 'run_started' ELSE 'node_completed' END,
            ${value}, ${at}
     FROM generate_series(greatest(${from}, ${total} - 86400), ${to} - 1) i, generate_series(1, ${EVENTS}) e`,
  );
}
