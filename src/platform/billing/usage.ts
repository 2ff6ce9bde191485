/** Usage per step and model: recorded with the step's work, charged when its subject ends. */
import type { Sql } from '../../base/db/client.ts';
import { MILLICREDITS } from './plans.ts';

export interface Use {
  /** The type of the node, or the feature outside of runs. */
  readonly kind: string;
  readonly model: string;
  /** Used with the caller's own provider account: recorded, but free. */
  readonly isByok: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly creditsMc: number;
}

// A retried step adds to its usage. Charged rows do not change.
const RECORD = `
  INSERT INTO credit_usage (organization_id, subject_id, step_id, kind, model, is_byok, input_tokens, output_tokens, credits_mc)
  SELECT $1, $2, $3, u.* FROM unnest($4::text[], $5::text[], $6::boolean[], $7::bigint[], $8::bigint[], $9::bigint[]) AS u
  ON CONFLICT (subject_id, step_id, model, is_byok) DO UPDATE
    SET input_tokens = credit_usage.input_tokens + excluded.input_tokens,
        output_tokens = credit_usage.output_tokens + excluded.output_tokens,
        credits_mc = credit_usage.credits_mc + excluded.credits_mc
    WHERE NOT credit_usage.is_settled`;

/**
 * Records the usage of one step.
 * @param of the subject of the reservation (a run_pk, or the id of other work) and the step; work without steps repeats its id
 * @param uses at most one entry per model and account
 */
export async function recordUsage(
  sql: Sql,
  of: { readonly organizationId: string; readonly subjectId: string; readonly stepId: string },
  uses: readonly Use[],
): Promise<void> {
  if (uses.length === 0) return;
  await sql.query(RECORD, [
    of.organizationId,
    of.subjectId,
    of.stepId,
    uses.map((use) => use.kind),
    uses.map((use) => use.model),
    uses.map((use) => use.isByok),
    uses.map((use) => use.inputTokens),
    uses.map((use) => use.outputTokens),
    uses.map((use) => use.creditsMc),
  ]);
}

/** Reads the credits that a step used in all its attempts. */
export async function readStepCredits(sql: Sql, subjectId: string, stepId: string): Promise<number> {
  const [row] = await sql.query<{ mc: number }>(
    'SELECT coalesce(sum(credits_mc), 0)::bigint AS mc FROM credit_usage WHERE subject_id = $1 AND step_id = $2',
    [subjectId, stepId],
  );
  return (row?.mc ?? 0) / MILLICREDITS;
}

/** Builds the recursive query `tree(run_pk)`: the runs of `start` and of their sub-workflows. */
const treeQuery = (start: string): string => `
  WITH RECURSIVE tree AS (
    ${start} UNION SELECT r.id FROM tree JOIN runs r ON r.parent_run_pk = tree.run_pk
  )`;

/** Reads the credits of all segments of a run, including its sub-workflows. */
export async function readExecutionCredits(sql: Sql, rootRunPk: string): Promise<number> {
  const [row] = await sql.query<{ mc: number }>(
    `${treeQuery('SELECT id AS run_pk FROM runs WHERE root_run_pk = $1')}
     SELECT coalesce(sum(u.credits_mc), 0)::bigint AS mc
     FROM tree JOIN credit_usage u ON u.subject_id = tree.run_pk`,
    [rootRunPk],
  );
  return (row?.mc ?? 0) / MILLICREDITS;
}

/** Reads the credits of an agent's tool calls in all segments of its run, including sub-workflows that they called. */
export async function readToolCallCredits(
  sql: Sql,
  {
    rootRunPk,
    nodeId,
    visit,
    itemIndex,
  }: {
    readonly rootRunPk: string;
    readonly nodeId: string;
    readonly visit: number;
    readonly itemIndex: number;
  },
): Promise<number> {
  const [row] = await sql.query<{ mc: number }>(
    `WITH RECURSIVE calls AS (
       SELECT run_pk, step_id FROM run_steps
       WHERE run_pk = ANY (ARRAY(SELECT id FROM runs WHERE root_run_pk = $1))
         AND node_id = $2 AND visit = $3 AND item_index = $4 AND turn > 0
     ), tree AS (
       SELECT r.id AS run_pk FROM calls JOIN runs r ON r.parent_run_pk = calls.run_pk AND r.parent_step_id = calls.step_id
       UNION SELECT r.id FROM tree JOIN runs r ON r.parent_run_pk = tree.run_pk
     )
     SELECT coalesce(sum(used.credits_mc), 0)::bigint AS mc FROM (
       SELECT u.credits_mc FROM calls JOIN credit_usage u ON u.subject_id = calls.run_pk AND u.step_id = calls.step_id
       UNION ALL SELECT u.credits_mc FROM tree JOIN credit_usage u ON u.subject_id = tree.run_pk
     ) AS used`,
    [rootRunPk, nodeId, visit, itemIndex],
  );
  return (row?.mc ?? 0) / MILLICREDITS;
}

export interface UsageItem {
  readonly step_id: string;
  readonly kind: string;
  readonly model: string;
  readonly credits: number;
  readonly byok: boolean;
}

/** Reads the usage for a run's record (SPEC RUN-4.3), including its sub-workflows, in the order of use. */
export async function readUsage(sql: Sql, runPk: string): Promise<UsageItem[]> {
  const rows = await sql.query<Omit<UsageItem, 'credits'> & { readonly mc: number }>(
    `${treeQuery('SELECT $1::uuid AS run_pk')}
     SELECT u.step_id, u.kind, u.model, u.credits_mc AS mc, u.is_byok AS byok
     FROM tree JOIN credit_usage u ON u.subject_id = tree.run_pk ORDER BY u.created_at, u.step_id, u.model, u.is_byok`,
    [runPk],
  );
  return rows.map(({ mc, ...item }) => ({ ...item, credits: mc / MILLICREDITS }));
}
