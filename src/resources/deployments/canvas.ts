/**
 * Before a snapshot: the canvas room of the workflow, if one is open, is asked to save what it has not saved yet. Who
 * deploys sees the edits on the screen and means them.
 */
import type { Scope } from '../../access/caller.ts';
import type { Sql } from '../../db/client.ts';
import { FLUSH_CHANNEL } from '../../db/notices.ts';
import type { Logger } from '../../log.ts';

/**
 * Longer than the one statement of a save may take (5 s, store/room-store.ts), far less than a request has (30 s): a
 * room that does not answer, such as one whose process has died with its lease, must not hold a deployment.
 */
const WAIT_MS = 8_000;
const LOOK_MS = 25;
/** A room that is slow is looked at less and less often. */
const MAX_LOOK_MS = 250;

/** No row: nobody has the workflow open. The request is numbered, so that an answer belongs to a question. */
const ASK = `
  WITH asked AS (
    UPDATE realtime_room_leases l SET flush_asked = flush_asked + 1 FROM workflows w
    WHERE w.id = l.workflow_id AND w.id = $1 AND w.organization_id = $2 AND l.expires_at > now()
    RETURNING l.flush_asked AS number
  )
  SELECT number, pg_notify('${FLUSH_CHANNEL}', json_build_object('w', $1::uuid, 'n', number)::text) FROM asked`;

const UNANSWERED = `
  SELECT 1 FROM realtime_room_leases WHERE workflow_id = $1 AND flush_done < $2 AND expires_at > now()`;

/** Waits until the room has saved, or is no more, at most WAIT_MS; not at all when there is no room. */
export async function flushCanvas(
  { db: sql, log }: { readonly db: Sql; readonly log: Logger },
  scope: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<void> {
  const [asked] = await sql.query<{ number: number }>(ASK, [workflowId, scope.organizationId]);
  if (asked === undefined) return;
  const deadline = performance.now() + WAIT_MS;
  let lookMs = LOOK_MS;
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const unanswered = await sql.query(UNANSWERED, [workflowId, asked.number]);
    if (unanswered.length === 0) return;
    lookMs = Math.min(lookMs * 1.5, MAX_LOOK_MS);
  }
  log.warn({ workflow_id: workflowId }, 'a room did not save in time: what it has unsaved is not deployed');
}
