/** The runs of sub-workflows, as their parents read them. */
import type { Sql } from '../../db/client.ts';
import type { Json } from '../../graph/value.ts';

/** The newest segment of a child run: its end, once it has one. */
export interface ChildEnd {
  readonly runId: string;
  readonly status: string;
  readonly output: Json;
  readonly error: { readonly code?: string; readonly message?: string } | null;
}

/** Reads how a child run ended; null when it is gone. */
export async function childEnd(sql: Sql, childRunPk: string): Promise<ChildEnd | null> {
  const [child] = await sql.query<ChildEnd>(
    `SELECT run_id AS "runId", status, output, error FROM newest_segments WHERE root_run_pk = $1`,
    [childRunPk],
  );
  return child ?? null;
}
