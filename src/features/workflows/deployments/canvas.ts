/**
 * Requests that the workflow's open canvas room saves its edits before a deployment copies the row: the user deploys what the
 * screen shows. SQL, because the server's clock decides whether a lease has expired.
 */
import type { Scope } from '../../../platform/access/caller.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Sql } from '../../../base/db/client.ts';
import { FLUSH_CHANNEL } from '../../../base/db/notices.ts';
import type { Logger } from '../../../base/log.ts';

/**
 * Above the timeout of the room's save (5 s, store/room-store.ts) and far below that of a request (30 s): a room whose process
 * has died must not block a deployment.
 */
const WAIT_MS = 8_000;
const POLL_MS = 25;
/** The interval grows up to this. */
const MAX_POLL_MS = 250;

/** Returns no row when no room is open. The number identifies the request that the room has to complete. */
const REQUEST = `
  WITH requested AS (
    UPDATE realtime_room_leases l SET flush_asked = flush_asked + 1 FROM workflows w
    WHERE w.id = l.workflow_id AND w.id = $1 AND w.organization_id = $2 AND l.expires_at > now()
    RETURNING l.flush_asked AS number
  )
  SELECT number, pg_notify('${FLUSH_CHANNEL}', json_build_object('w', $1::uuid, 'n', number)::text) FROM requested`;

const PENDING = `
  SELECT 1 FROM realtime_room_leases WHERE workflow_id = $1 AND flush_done < $2 AND expires_at > now()`;

/** Waits until the room has saved or its lease has ended, at most WAIT_MS; returns immediately without a room. */
export async function flushCanvas(
  { db: sql, log }: { readonly db: Sql; readonly log: Logger },
  scope: Pick<Scope, 'organizationId'>,
  workflowId: string,
): Promise<void> {
  const [request] = await sql.query<{ number: number }>(REQUEST, [workflowId, scope.organizationId]);
  if (request === undefined) return;
  const deadline = systemClock.monotonic() + WAIT_MS;
  let pollMs = POLL_MS;
  while (systemClock.monotonic() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const pending = await sql.query(PENDING, [workflowId, request.number]);
    if (pending.length === 0) return;
    pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
  }
  log.warn(
    { workflow_id: workflowId },
    'the canvas room did not save in time; its unsaved edits are not deployed',
  );
}
