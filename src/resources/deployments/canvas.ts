/**
 * Before a snapshot: the canvas room of the workflow, if one is open, is asked to save what it has not saved yet. Who
 * deploys sees the edits on the screen and means them.
 */
import type { Scope } from '../../access/caller.ts';
import type { Sql } from '../../db/client.ts';
import { FLUSH_CHANNEL } from '../../db/notices.ts';

/** A room that does not answer must not hold a deployment. */
const WAIT_MS = 1_000;
const LOOK_MS = 25;

/** No row: nobody has the workflow open. The request is numbered, so that an answer belongs to a question. */
const ASK = `
  WITH asked AS (
    UPDATE realtime_room_leases l SET flush_asked = flush_asked + 1 FROM workflows w
    WHERE w.id = l.workflow_id AND w.id = $1 AND w.organization_id = $2 AND l.expires_at > now()
    RETURNING l.flush_asked AS number
  )
  SELECT number, pg_notify('${FLUSH_CHANNEL}', json_build_object('w', $1::uuid, 'n', number)::text) FROM asked`;

/** Waits until the room has saved, at most a second; at once when there is no room. */
export async function flushCanvas(
  sql: Sql,
  scope: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<void> {
  const [asked] = await sql.query<{ number: number }>(ASK, [workflowId, scope.organizationId]);
  if (asked === undefined) return;
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const answered = await sql.query(
      'SELECT 1 FROM realtime_room_leases WHERE workflow_id = $1 AND flush_done >= $2',
      [workflowId, asked.number],
    );
    if (answered.length > 0) return;
  }
}
