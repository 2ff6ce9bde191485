/** The runs of a subject: page by page, oldest first, with all that is below them. */
import type { Tx } from '../../base/db/client.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { cancelTree } from '../../engine/runs/ledger/write/cancel.ts';
import { eraseTrees } from '../../engine/runs/ledger/erase/delete-runs.ts';
import { readCurrentSegment } from '../../engine/runs/ledger/write/segments.ts';
import type { DataJob, DataSubject } from './jobs.ts';
import type { PartWriter } from './part-writer.ts';

/** Runs of one step of an erasure, and of an export, whose values are read. */
const ERASED_PAGE = 50;
const EXPORTED_PAGE = 5;
/** Steps in one read: their values may have 8 MiB each. */
const STEP_PAGE = 10;

interface RunPosition {
  readonly created_at: string;
  readonly id: string;
}

interface PagedRun extends RunPosition {
  readonly root_run_pk: string;
  /** It belongs to the person: it is a turn of the Assistant or the Composer, or private. */
  readonly is_personal: boolean;
}

/** @returns the condition for a run `r` of the subject, whose parameter is $5 */
function chooseCondition(subject: DataSubject): {
  readonly condition: string;
  readonly value: string | null;
} {
  if (subject.type === 'organization') return { condition: '$5::text IS NULL', value: null };
  return subject.type === 'member'
    ? { condition: 'r.created_by = $5::uuid', value: subject.user_id }
    : {
        condition: 'r.metadata IS NOT NULL AND r.metadata @> $5::jsonb',
        value: JSON.stringify(subject.metadata),
      };
}

async function readPage(tx: Tx, job: DataJob, limit: number): Promise<PagedRun[]> {
  const { condition, value } = chooseCondition(job.subject);
  const after = job.cursor as RunPosition | null;
  return tx.query<PagedRun>(
    `SELECT r.id, r.root_run_pk, r.created_at::text AS created_at, r.trigger_type = 'chat' OR r.is_private AS is_personal
     FROM runs r
     WHERE r.organization_id = $1 AND (r.created_at, r.id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '${NO_ID}'))
       AND (${condition})
     ORDER BY r.created_at, r.id LIMIT $4`,
    [job.organization_id, after?.created_at ?? null, after?.id ?? null, limit, value],
  );
}
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Result of a step; a null cursor ends the stage. */
export interface StepResult {
  readonly cursor: Json;
  readonly counts: Readonly<Record<string, number>>;
}

const nextCursor = (page: readonly PagedRun[], limit: number): Json => {
  const last = page.length < limit ? undefined : page.at(-1);
  return last === undefined ? null : { created_at: last.created_at, id: last.id };
};

/** Cancels and deletes a page of runs. Of a member only personal ones are deleted; others lose who started them. */
export async function eraseRuns(tx: Tx, job: DataJob): Promise<StepResult> {
  const page = await readPage(tx, job, ERASED_PAGE);
  const erased = job.subject.type === 'member' ? page.filter((run) => run.is_personal) : page;
  const roots = [...new Set(erased.map((run) => run.root_run_pk))].toSorted();
  for (const rootRunPk of roots) {
    const run = { organizationId: job.organization_id, rootRunPk };
    const current = await readCurrentSegment(tx, run, true);
    if (current !== null && (current.status === 'running' || current.status === 'interrupted'))
      await cancelTree(tx, current, 'The data of the run is being erased');
  }
  const deleted = await eraseTrees(tx, roots);
  const kept = page.filter((run) => !erased.includes(run)).map(({ id }) => id);
  await tx.query('UPDATE runs SET created_by = NULL WHERE id = ANY ($1::uuid[])', [kept]);
  await tx.query('UPDATE run_effects SET created_by = NULL WHERE run_pk = ANY ($1::uuid[])', [kept]);
  return {
    cursor: nextCursor(page, ERASED_PAGE),
    counts: { runs: deleted, ...(kept.length === 0 ? {} : { runs_without_their_starter: kept.length }) },
  };
}

/** Rows that belong to a run beside its steps; `$1` is the id of the run. */
const PARTS_OF_RUN = {
  run_fields: 'SELECT to_jsonb(t)::text AS row FROM run_fields t WHERE root_run_pk = $1 ORDER BY name',
  agent_turns: `SELECT to_jsonb(t)::text AS row FROM agent_turns t JOIN run_steps s ON s.step_id = t.step_id
                WHERE s.run_pk = $1 ORDER BY t.step_id, t.turn`,
  run_effects:
    'SELECT to_jsonb(t)::text AS row FROM run_effects t WHERE run_pk = $1 ORDER BY step_id, attempt, number',
} as const;

/** Writes a page of runs with their steps, state, agents' turns and effects; questions and messages are tables of the organization. */
export async function exportRuns(tx: Tx, job: DataJob, writer: PartWriter): Promise<StepResult> {
  const page = await readPage(tx, job, EXPORTED_PAGE);
  const counts: Record<string, number> = {};
  const write = async (table: string, rows: readonly { readonly row: string }[]): Promise<void> => {
    for (const { row } of rows) await writer.write(table, row);
    counts[table] = (counts[table] ?? 0) + rows.length;
  };
  for (const { id } of page) {
    await write('runs', await tx.query('SELECT to_jsonb(t)::text AS row FROM runs t WHERE id = $1', [id]));
    let after = NO_ID;
    for (;;) {
      const steps = await tx.query<{ row: string; step_id: string }>(
        `SELECT to_jsonb(t)::text AS row, step_id FROM run_steps t WHERE run_pk = $1 AND step_id > $2 ORDER BY step_id LIMIT ${STEP_PAGE}`,
        [id, after],
      );
      await write('run_steps', steps);
      if (steps.length < STEP_PAGE) break;
      after = steps.at(-1)?.step_id ?? after;
    }
    for (const [table, query] of Object.entries(PARTS_OF_RUN))
      await write(table, await tx.query(query, [id]));
  }
  return { cursor: nextCursor(page, EXPORTED_PAGE), counts };
}
