/**
 * The promises (SPEC REL-G1 to REL-G13) as questions to the records: PostgreSQL, Temporal and the server that the runs
 * called. Each answers with the violations it finds, in words; none is the only right answer.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import { expect } from 'vitest';
import { toRunWorkflowId } from '../../../temporal/contract.ts';
import type { Sql } from '../../../src/base/db/client.ts';
import type { RecordedCall } from '../../support/http-recorder.ts';
import { unendedSteps } from '../../support/unended-steps.ts';
import { eventually } from '../../support/waiting.ts';
import { TERMINAL, type PatientClient, type Reading } from './client.ts';
import { falseBooks } from './books.ts';
import type { Situation } from './situation.ts';

/** Every run of the database has come to rest. The bound is the reconciler's (SPEC REL-G4), doubled. */
export async function settled({ db }: Situation, withinMs = 240_000): Promise<void> {
  let open: { run_id: string; last_event_at: Date }[] = [];
  await eventually('all runs to end', withinMs, async () => {
    // Temporal's own end follows the row's; what was decided must have reached it.
    open = await db.query(
      `SELECT run_id, last_event_at FROM runs WHERE status = 'running'
       UNION ALL SELECT subject_id, created_at FROM outbox`,
    );
    return open.length === 0 ? true : null;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; still open: ${JSON.stringify(open)}`);
  });
}

/** SPEC REL-G1: what was accepted is there. */
async function lostRuns(db: Sql, accepted: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ run_id: string }>(
    `SELECT a.run_id FROM unnest($1::uuid[]) AS a(run_id)
     WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = a.run_id)`,
    [accepted],
  );
  return rows.map((row) => `REL-G1: the accepted run ${row.run_id} has no row`);
}

/** SPEC REL-G6: seq without gaps, and one terminal frame, the last, which says what the row says. */
async function brokenLogs(db: Sql): Promise<string[]> {
  const rows = await db.query<{
    run_id: string;
    status: string;
    last_seq: number;
    seqs: number[];
    ends: string[];
  }>(
    `SELECT r.run_id, r.status, r.last_seq, array_agg(e.seq ORDER BY e.seq) AS seqs,
            array_agg(e.type ORDER BY e.seq) FILTER (WHERE e.type = ANY($1::text[])) AS ends
     FROM runs r LEFT JOIN run_events e ON e.run_pk = r.id GROUP BY r.id`,
    [TERMINAL],
  );
  return rows.flatMap(({ run_id, status, last_seq, seqs, ends }) => {
    const found: string[] = [];
    if (seqs.some((seq, index) => seq !== index + 1)) found.push(`its seqs are ${seqs.join(',')}`);
    if (seqs.length !== last_seq) found.push(`last_seq ${last_seq} of ${seqs.length}`);
    if (ends?.length !== 1) found.push(`it has ${ends?.length ?? 0} terminal frames`);
    if (ends?.[0] !== `run_${status}`) found.push(`it is ${status} after ${ends?.[0]}`);
    return found.map((text) => `REL-G6: run ${run_id}: ${text}`);
  });
}

/** Nothing is left half-way: open steps of ended runs, answers that never arrived, two runs out of one answer (SPEC REL-G12). */
async function loose(db: Sql): Promise<string[]> {
  const rows = await db.query<{ what: string }>(
    `SELECT 'step ' || s.node_id || ' [' || s.item_index || '] is ' || s.status || ' since ' || s.started_at || ', attempts '
       || s.attempts::text || ', held by ' || coalesce(s.held_by::text, 'nobody') || ', in ' || r.status || ' run ' || r.run_id
       || ' of ' || r.started_at || ' to ' || coalesce(r.completed_at::text, '-') || ' ' || coalesce(r.error::text, '') AS what
     FROM run_steps s JOIN runs r ON r.id = s.run_pk WHERE s.status IN ('pending', 'running')
     UNION ALL
     SELECT 'question ' || id || ' is ' || status FROM run_interrupts WHERE status = 'claimed'
     UNION ALL
     SELECT 'G12: ' || count(*) || ' runs resume ' || resumed_from_run_pk FROM runs
     WHERE resumed_from_run_pk IS NOT NULL GROUP BY resumed_from_run_pk HAVING count(*) > 1
     UNION ALL
     SELECT 'question ' || i.id || ' is open in ' || r.status || ' run ' || r.run_id
     FROM run_interrupts i JOIN runs r ON r.id = i.run_pk
     WHERE i.status = 'pending' AND r.status NOT IN ('interrupted')`,
  );
  return rows.map((row) => row.what);
}

const CLOSE_OF: Readonly<Record<string, readonly string[]>> = {
  completed: ['COMPLETED'],
  failed: ['FAILED', 'TERMINATED'],
  // One that waited for an answer, which an operator terminated: there is no failure to tell of.
  cancelled: ['CANCELLED', 'TERMINATED'],
  interrupted: ['RUNNING'],
};

/** SPEC REL-G2, REL-G4: one execution per run, whose end is the row's. */
async function untrueRows({ db, temporal }: Situation): Promise<string[]> {
  const rows = await db.query<{
    organization_id: string;
    root_run_pk: string;
    status: string;
    run_id: string;
    was_at_work: boolean;
  }>(
    `SELECT organization_id, root_run_pk, status, run_id, advance > 0 AS was_at_work
     FROM newest_segments JOIN run_cursors USING (root_run_pk) ORDER BY root_run_pk`,
  );
  const found: string[] = [];
  for (const row of rows) {
    const workflowId = toRunWorkflowId(row.organization_id, row.root_run_pk);
    // Cancelled before it was started: there is no execution then, and never will be.
    const isUnstarted = row.status === 'cancelled' && !row.was_at_work;
    const ends = [...(CLOSE_OF[row.status] ?? []), ...(isUnstarted ? ['NOT_FOUND'] : [])];
    let seen = '';
    await eventually('the execution to end as its row', 30_000, async () => {
      seen = await temporal.workflow
        .getHandle(workflowId)
        .describe()
        .then(
          (state) => state.status.name,
          (error: unknown) => (error instanceof WorkflowNotFoundError ? 'NOT_FOUND' : String(error)),
        );
      return ends.includes(seen) ? true : null;
    }).catch(() => found.push(`REL-G4: run ${row.run_id} is ${row.status}, its execution ${seen}`));
    const chains = new Set<string>();
    for await (const execution of temporal.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
      chains.add(execution.raw.firstRunId ?? execution.runId);
    }
    if (chains.size > 1) found.push(`REL-G2: run ${row.run_id} has ${chains.size} executions`);
  }
  return found;
}

/** Tags that were called more than once, by what their effect class says of it (SPEC REL-G3). */
async function repeatedEffects(db: Sql, calls: readonly RecordedCall[]): Promise<string[]> {
  const byTag = new Map<string, RecordedCall[]>();
  for (const call of calls) byTag.set(call.tag, [...(byTag.get(call.tag) ?? []), call]);
  const flagged = await db.query<{ tag: string }>(
    `SELECT DISTINCT (r.input->>'key') || '.' || (e.payload->>'node_id') AS tag
     FROM run_events e JOIN runs r ON r.id = e.run_pk
     WHERE e.type = 'node_retry' AND (e.payload->>'possibly_repeated')::boolean
     UNION SELECT (r.input->>'key') || '.' || (e.payload->>'name')
     FROM run_events e JOIN runs r ON r.id = e.run_pk
     WHERE e.type = 'tool_call' AND (e.payload->>'possibly_repeated')::boolean`,
  );
  const flags = new Set(flagged.map((row) => row.tag));
  return [...byTag].flatMap(([tag, made]) => {
    const keys = new Set(made.map((call) => call.headers['idempotency-key'] ?? ''));
    const [key = ''] = keys;
    if (made.length === 1 || made[0]?.method === 'GET') return [];
    if (key === '') return [`REL-G3: ${made.length} calls of ${tag}, which may be made once`];
    if (keys.size > 1) return [`REL-G3: the calls of ${tag} have ${keys.size} different keys`];
    const node = tag.split('.').slice(0, 2).join('.');
    return flags.has(node) ? [] : [`REL-G3: ${made.length} calls of ${tag}, and no event says so`];
  });
}

/** Calls that a run says it made and nobody received. */
async function missingEffects(db: Sql, calls: readonly RecordedCall[]): Promise<string[]> {
  const rows = await db.query<{ url: string; node_id: string }>(
    `SELECT input->>'url' AS url, node_id FROM run_steps
     WHERE node_type = 'tool' AND status = 'succeeded' AND input->>'url' IS NOT NULL`,
  );
  const tags = new Set(calls.map((call) => call.tag));
  return rows
    .map((row) => decodeURIComponent(new URL(row.url).pathname.slice(1)))
    .filter((tag) => !tags.has(tag))
    .map((tag) => `REL-G3: ${tag} succeeded, but was never called`);
}

/** All that the records contradict; empty when every promise holds. Call when the runs have `settled`. */
export async function violations(situation: Situation, accepted: readonly string[]): Promise<string[]> {
  const { db, recorder } = situation;
  const found = await Promise.all([
    lostRuns(db, accepted),
    brokenLogs(db),
    loose(db),
    unendedSteps(db),
    untrueRows(situation),
    repeatedEffects(db, recorder.calls()),
    missingEffects(db, recorder.calls()),
    falseBooks(db),
  ]);
  return found.flat();
}

/** Starts what the test has killed, waits for the end of every run, and expects that every promise was kept. */
export async function expectPromisesKept(situation: Situation, accepted: readonly string[]): Promise<void> {
  await situation.service.restore();
  await settled(situation);
  expect(await violations(situation, accepted)).toEqual([]);
}

/** SPEC REL-G6, as a client sees it: what was read is the table, frame by frame, without gap or repetition. */
export async function misread(db: Sql, runId: string, { frames }: Reading): Promise<string[]> {
  const rows = await db.query<{ seq: number; type: string; payload: Record<string, unknown> }>(
    `SELECT e.seq, e.type, e.payload FROM run_events e JOIN runs r ON r.id = e.run_pk
     WHERE r.run_id = $1 ORDER BY e.seq`,
    [runId],
  );
  const stored = rows.map((row) => JSON.stringify([row.seq, row.type, row.payload['delta'] ?? null]));
  const read = frames.map((frame) => JSON.stringify([frame.seq, frame.type, frame['delta'] ?? null]));
  if (stored.join() === read.join()) return [];
  return [`REL-G6: run ${runId} was read as ${read.join(' ')}, stored is ${stored.join(' ')}`];
}

/** Reads each run anew from its beginning, as one who comes late, and compares. */
export async function misreadLate(
  db: Sql,
  client: PatientClient,
  runIds: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const runId of runIds) found.push(...(await misread(db, runId, await client.read(runId))));
  return found;
}
