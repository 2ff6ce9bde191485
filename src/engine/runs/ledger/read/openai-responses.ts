/** Responses of the OpenAI door, in the record of their runs: the fields of the request, the input, and which were deleted. */
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { RunRef } from '../../engine.ts';

/** Deletes the response of a run; repeating it has no effect. */
export async function markResponseDeleted(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<void> {
  await sql.query(
    `INSERT INTO deleted_responses (root_run_pk, organization_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [rootRunPk, organizationId],
  );
}

/** Tells whether the response of a run was deleted. */
export async function isResponseDeleted(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<boolean> {
  const found = await sql.query(
    'SELECT 1 FROM deleted_responses WHERE root_run_pk = $1 AND organization_id = $2',
    [rootRunPk, organizationId],
  );
  return found.length > 0;
}

/** The start of a response. */
interface ResponseStart {
  readonly createdAt: Date;
  readonly metadata: JsonObject;
  /** The fields of the request; null for a run of another door, and when its values were deleted. */
  readonly request: JsonObject | null;
}

/** Reads the start of the run of a response: of its first segment, whose request it answers; null when it was deleted. */
export async function readResponseStart(
  sql: Sql,
  { organizationId, rootRunPk }: RunRef,
): Promise<ResponseStart | null> {
  const [start] = await sql.query<ResponseStart>(
    `SELECT created_at AS "createdAt", coalesce(metadata, '{}') AS metadata, config->'openai_response' AS request
     FROM runs WHERE id = $1 AND organization_id = $2`,
    [rootRunPk, organizationId],
  );
  return start ?? null;
}

/** Reads the input that a run was started with. */
export async function readRunInput(sql: Sql, { organizationId, rootRunPk }: RunRef): Promise<JsonObject> {
  const [run] = await sql.query<{ readonly input: JsonObject | null }>(
    'SELECT input FROM runs WHERE id = $1 AND organization_id = $2',
    [rootRunPk, organizationId],
  );
  return run?.input ?? {};
}
