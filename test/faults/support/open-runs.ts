/** What is known of the runs that should have ended: for whoever looks for the reason. */
import type { Sql } from '../../../src/base/db/client.ts';
import { toRunWorkflowId } from '../../../temporal/contract.ts';
import type { Situation } from './situation.ts';

interface OpenRow {
  readonly run_id: string;
  readonly status: string;
  readonly organization_id: string;
  readonly root_run_pk: string;
}

const openRows = (db: Sql): Promise<OpenRow[]> =>
  db.query<OpenRow>(
    `SELECT run_id, status, last_event_at, organization_id, root_run_pk, c.advance,
            (SELECT json_agg(json_build_array(e.seq, e.type, e.payload->>'node_id') ORDER BY e.seq DESC)
             FROM run_events e WHERE e.run_pk = r.id AND e.seq > r.last_seq - 5) AS last_events,
            (SELECT json_agg(json_build_array(s.node_id, s.status, s.attempt, s.sent_at))
             FROM run_steps s WHERE s.run_pk = r.id AND s.status IN ('pending', 'running')) AS open_steps,
            (SELECT json_agg(json_build_array(o.kind, o.tries, o.due_at, o.last_error))
             FROM outbox o WHERE o.subject_id = r.root_run_pk) AS untold,
            (SELECT json_agg(json_build_array(i.node_id, i.status))
             FROM run_interrupts i WHERE i.root_run_pk = r.root_run_pk) AS questions
     FROM runs r LEFT JOIN run_cursors c USING (root_run_pk) WHERE r.status = 'running'`,
  );

/** The open runs of the situation, each with its last events, its open steps and the end of its history, as text. */
export async function describeOpenRuns({ db, temporal }: Situation): Promise<string> {
  const told: string[] = [];
  for (const row of await openRows(db)) {
    const handle = temporal.workflow.getHandle(toRunWorkflowId(row.organization_id, row.root_run_pk));
    const execution = await handle.fetchHistory().then(
      ({ events }) => (events ?? []).slice(-12).map((event) => `${String(event.eventId)} ${event.eventType}`),
      (error: unknown) => String(error),
    );
    const pending = await handle.describe().then(
      ({ raw }) => JSON.stringify([raw.pendingActivities, raw.pendingWorkflowTask]),
      (error: unknown) => String(error),
    );
    told.push(JSON.stringify({ ...row, execution, pending }));
  }
  return told.join('\n');
}
