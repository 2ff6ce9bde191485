/**
 * Part `history`: whether lists and accepting get slower as history grows: two databases, one with few runs and one with
 * many, each with an API of its own, measured in turns.
 */
import { pureChain } from '../graphs.ts';
import { roundsOf, type Part, type PartLimits, type Row } from '../part.ts';
import { inTurns, median, timed, type Side } from '../statistics.ts';
import type { ApiAlone } from '../system.ts';
import { ms } from '../table.ts';

const FEW = 100;
const BATCH = 50_000;
const REQUESTS = 10;

/** Finished runs of one organization, a second apart, with their first event, as many as `rows`. */
async function seed(
  limits: PartLimits,
  db: ApiAlone['db'],
  at: { organizationId: string; workflowId: string },
  rows: number,
) {
  for (let done = 0; done < rows; done += BATCH) {
    limits.tell(`${done} of ${rows} rows written`);
    await db.query(
      `WITH added AS (
         INSERT INTO runs (id, root_run_pk, organization_id, workflow_id, definition_hash, workflow_name, workflow_version,
                           workflow_source, trigger_type, is_ad_hoc, thread_id, status, output_summary, last_seq,
                           started_at, completed_at, last_event_at, created_at)
         SELECT made.id, made.id, $1, $2, 'seeded', 'Seeded', '1.0.0', 'database', 'api', false, made.id::text, 'completed',
                'done', 1, made.at, made.at, made.at, made.at
         FROM (SELECT gen_random_uuid() AS id, now() - make_interval(secs => $3::int + n) AS at
               FROM generate_series(1, $4::int) n) made
         RETURNING id
       )
       INSERT INTO run_events (run_pk, seq, type, payload) SELECT id, 1, 'run_started', '{}' FROM added`,
      [at.organizationId, at.workflowId, done, Math.min(BATCH, rows - done)],
    );
  }
  await db.query('ANALYZE runs');
  await db.query('ANALYZE run_events');
  // What the seeding left to write must not be written during the measurement.
  await db.query('CHECKPOINT');
}

/** Times of a few requests one after the other. */
const several = (request: () => Promise<unknown>): Side => {
  return async () => {
    const times: number[] = [];
    for (let count = 0; count < REQUESTS; count += 1) times.push(await timed(request));
    return times;
  };
};

export const history: Part = {
  name: 'history',
  summary: 'GET /workflow-runs and POST /workflows/run with 100 rows of history and with many',
  weight: 3,
  async run(bench, limits) {
    const place = async (name: string, rows: number) => {
      const api = await bench.addApi(name);
      const workflowId = await api.tenant.deploy('history', pureChain(1));
      await seed(limits, api.db, { organizationId: api.tenant.organizationId, workflowId }, rows);
      const list = several(() => api.tenant.get('/workflow-runs'));
      const accept = several(() => api.tenant.post('/workflows/run', { workflow_id: workflowId }));
      return { api, list, accept };
    };
    const few = await place('few', FEW);
    const many = await place('many', limits.historyRows);
    // All lists before the first run is accepted: what is started on Temporal keeps the machine busy for a while.
    const rounds = roundsOf(limits, 20, 8);
    const lists = await inTurns(rounds, limits, { few: few.list, many: many.list });
    const accepts = await inTurns(rounds, limits, { few: few.accept, many: many.accept });
    await Promise.all([few.api.stop(), many.api.stop()]);
    const row = (workload: string, times: { few: number[]; many: number[] }): Row => ({
      workload: `${workload}, ${limits.historyRows} rows`,
      service: ms(median(times.many)),
      beside: `${ms(median(times.few))} at ${FEW} rows`,
      ratio: median(times.many) / median(times.few),
    });
    return {
      rows: [row('GET /workflow-runs', lists), row('POST run', accepts)],
      values: {
        'GET /workflow-runs, full history / 100 rows': median(lists.many) / median(lists.few),
        'accept, full history / 100 rows': median(accepts.many) / median(accepts.few),
      },
    };
  },
};
