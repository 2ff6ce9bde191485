/**
 * Part `history`: whether requests get slower as history grows: two databases, one with few rows of runs, steps and events and one
 * with many, each with an API of its own, measured in turns.
 */
import { pureChain } from '../graphs.ts';
import { roundsOf, type Part, type PartLimits, type Row } from '../part.ts';
import { inTurns, median, timed, type Side } from '../statistics.ts';
import type { ApiAlone, Bench } from '../system.ts';
import { ms } from '../table.ts';

const FEW = 10_000;
const STEPS = 3;
const EVENTS = 6;
const ROWS_OF_RUN = 1 + STEPS + EVENTS;
/** Runs that one statement writes. */
const BATCH = 10_000;
const REQUESTS = 10;
const MEASURING_MS = 120_000;
/** Runs that are read: more than a round reads, so that most are not in the cache because of the round before. */
const SAMPLE = 1_000;

interface Place {
  readonly organizationId: string;
  readonly workflowId: string;
}

interface StoredRun {
  readonly id: string;
  readonly run_id: string;
}

/** Stores finished runs of one organization, a second apart, with their steps and events. @returns some of them */
async function seed(limits: PartLimits, db: ApiAlone['db'], at: Place, runs: number): Promise<StoredRun[]> {
  for (let done = 0; done < runs; done += BATCH) {
    limits.tell(`${done * ROWS_OF_RUN} of ${runs * ROWS_OF_RUN} rows written`);
    await db.query(
      `WITH run AS (
         INSERT INTO runs (id, root_run_pk, organization_id, workflow_id, definition_hash, workflow_name, workflow_version,
                           workflow_source, trigger_type, is_ad_hoc, thread_id, status, output, output_summary, last_seq,
                           started_at, completed_at, last_event_at, created_at)
         SELECT made.id, made.id, $1, $2, 'seeded', 'Seeded', '1.0.0', 'database', 'api', false, made.id::text, 'completed',
                '{"value": 1}', 'done', ${EVENTS}, made.at, made.at, made.at, made.at
         FROM (SELECT gen_random_uuid() AS id, now() - make_interval(secs => $3::int + n) AS at
               FROM generate_series(1, $4::int) n) made
         RETURNING id, created_at
       ), step AS (
         INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect,
                                output, ended, started_at, completed_at)
         SELECT gen_random_uuid(), id, id, 'node_' || n, 'transformer', 'Node', 1, 1, n, 'succeeded', 'pure', '{"value": 1}', n,
                created_at, created_at
         FROM run, generate_series(1, ${STEPS}) n
       )
       INSERT INTO run_events (run_pk, seq, type, payload, created_at)
       SELECT id, n, CASE n WHEN 1 THEN 'run_started' WHEN ${EVENTS} THEN 'run_completed' ELSE 'token' END,
              '{"node_id": "node_1", "step_id": "1", "delta": "text"}', created_at
       FROM run, generate_series(1, ${EVENTS}) n`,
      [at.organizationId, at.workflowId, done, Math.min(BATCH, runs - done)],
    );
  }
  // The seeding leaves vacuums and writes, which must not run during the measurement.
  for (const table of ['runs', 'run_steps', 'run_events']) await db.query(`VACUUM ANALYZE ${table}`);
  await db.query('CHECKPOINT');
  const { rows } = await db.query<StoredRun>(
    'SELECT id, run_id FROM runs WHERE id > gen_random_uuid() ORDER BY id LIMIT $1',
    [SAMPLE],
  );
  return rows;
}

/** Times of a few requests one after the other. */
function several(request: (index: number) => Promise<unknown>): Side {
  let index = 0;
  return async () => {
    const times: number[] = [];
    for (let count = 0; count < REQUESTS; count += 1) {
      times.push(await timed(() => request(index)));
      index += 1;
    }
    return times;
  };
}

async function openPlace(
  bench: Bench,
  limits: PartLimits,
  { name, rows }: { readonly name: string; readonly rows: number },
) {
  const api = await bench.addApi(name);
  const { tenant } = api;
  const workflowId = await tenant.deploy('history', pureChain(1));
  const place = { organizationId: tenant.organizationId, workflowId };
  const runs = await seed(limits, api.db, place, Math.ceil(rows / ROWS_OF_RUN));
  const pick = (index: number): StoredRun => {
    const run = runs[index % runs.length];
    if (run === undefined) throw new Error('no run is stored');
    return run;
  };
  return {
    api,
    list: several(() => tenant.get('/workflow-runs')),
    detail: several((index) => tenant.get(`/workflow-runs/${pick(index).id}`)),
    listen: several((index) => tenant.follow(pick(index).run_id, () => {})),
    accept: several(() => tenant.post('/workflows/run', { workflow_id: workflowId })),
  };
}

export const history: Part = {
  name: 'history',
  summary: `list, detail, stream and start of runs with ${FEW} rows of runs, steps and events and with many`,
  weight: 3,
  async run(bench, limits) {
    const many = await openPlace(bench, limits, { name: 'many', rows: limits.historyRows });
    const few = await openPlace(bench, limits, { name: 'few', rows: FEW });
    // The seeding may have used up the part's time.
    const deadline = Math.max(limits.deadline, performance.now() + MEASURING_MS);
    const rounds = roundsOf(limits, 30, 10);
    const measure = (name: 'list' | 'detail' | 'listen' | 'accept') =>
      inTurns(rounds, { ...limits, deadline }, { few: few[name], many: many[name] });
    const list = await measure('list');
    const detail = await measure('detail');
    const listen = await measure('listen');
    // Last: what is started on Temporal keeps the machine busy for a while.
    const accept = await measure('accept');
    await Promise.all([few.api.stop(), many.api.stop()]);
    const row = (workload: string, times: { few: number[]; many: number[] }): Row => ({
      workload: `${workload}, ${limits.historyRows} rows`,
      service: ms(median(times.many)),
      beside: `${ms(median(times.few))} at ${FEW} rows`,
      ratio: median(times.many) / median(times.few),
    });
    const ratio = (times: { few: number[]; many: number[] }): number =>
      median(times.many) / median(times.few);
    return {
      rows: [
        row('GET /workflow-runs', list),
        row('GET /workflow-runs/{id}', detail),
        row('GET /workflows/listen/{id}, an ended run', listen),
        row('POST run', accept),
      ],
      values: {
        'GET /workflow-runs, full history / 10,000 rows': ratio(list),
        'GET /workflow-runs/{id}, full history / 10,000 rows': ratio(detail),
        'listen, full history / 10,000 rows': ratio(listen),
        'accept, full history / 10,000 rows': ratio(accept),
      },
    };
  },
};
