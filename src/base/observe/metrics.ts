/**
 * Metrics in the Prometheus format: counters of this process, and gauges that each scrape reads from the database. Labels are
 * route patterns and fixed words, never ids, except for the cost of workflows (worker-metrics.ts).
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState, Sql } from '../db/client.ts';

const registry = new Registry();
/** The registry of every metric of this process. */
export const registers = [registry];

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to the end of the answer, event streams not counted',
  labelNames: ['method', 'route', 'status_class'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});
const accepted = new Counter({
  name: 'runs_accepted_total',
  help: 'Runs that this process has accepted',
  labelNames: ['trigger'],
  registers,
});
const denied = new Counter({
  name: 'schedule_firings_denied_total',
  help: 'Firings of schedules that the billing gate or the bound on runs under way has denied',
  registers,
});
const streams = new Gauge({
  name: 'run_streams_open',
  help: 'Event streams that this process serves',
  registers,
});
const isDatabaseUp = new Gauge({
  name: 'database_up',
  help: '1 when the database answered this scrape',
  registers,
});
const outbox = new Gauge({
  name: 'outbox_entries',
  help: 'Outbox entries that Temporal has not received yet: waiting, or parked for an operator',
  labelNames: ['state'],
  registers,
});
const oldest = new Gauge({
  name: 'outbox_oldest_seconds',
  help: 'Age of the oldest waiting outbox entry',
  registers,
});
const open = new Gauge({ name: 'runs_open', help: 'Runs in status running, of all processes', registers });
const waiting = new Gauge({
  name: 'runs_waiting',
  help: 'Runs that wait for the answer to a question, of all processes',
  registers,
});
const overdue = new Gauge({
  name: 'schedules_overdue',
  help: 'Enabled schedules that have not fired a minute after they were due, of all processes',
  registers,
});
const limited = new Counter({
  name: 'http_requests_rate_limited_total',
  help: 'Answers with status 429, by the code of the limit',
  labelNames: ['code'],
  registers,
});
const pool = new Gauge({
  name: 'database_pool_connections',
  help: 'Connections of the pool of this process; max: its size, queued: work that waits for one',
  labelNames: ['state'],
  registers,
});
const build = new Gauge({
  name: 'workflow_automation_build_info',
  help: 'Always 1; the build is in the labels',
  labelNames: ['process', 'version', 'commit', 'node_version'],
  registers,
});

/** Records a request. @param route the route's pattern; null when none matched */
export function noteRequest(
  {
    method,
    route,
    status,
  }: { readonly method: string; readonly route: string | null; readonly status: number },
  seconds: number,
): void {
  requests.observe(
    { method, route: route ?? 'none', status_class: `${Math.floor(status / 100)}xx` },
    seconds,
  );
}

/** Counts an answer with status 429. @param code of the refusal, a fixed word */
export function noteRateLimited(code: string): void {
  limited.inc({ code });
}

/** Counts an accepted run after its commit. */
export function noteRunAccepted(trigger: string): void {
  accepted.inc({ trigger });
}

/** Counts a denied firing, which leaves no row. */
export function noteFiringDenied(): void {
  denied.inc();
}

/**
 * The event loop is looked at this often, and an idle loop reads as this. Looks every 10 ms, the default, took half of the CPU of an
 * idle worker.
 */
const LOOP_LOOK_MS = 200;

/** Adds the build, memory, CPU and event-loop metrics; call it once per process. @param name of the process */
export function collectProcessMetrics(
  name: string,
  { version, commit }: { readonly version: string; readonly commit: string },
): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  build.set({ process: name, version, commit, node_version: process.versions.node }, 1);
}

interface OutboxCounts {
  readonly waiting: number;
  readonly parked: number;
  readonly oldest_seconds: number;
  readonly running: number;
  readonly asking: number;
  readonly overdue: number;
}

/** The tables are read through partial or small indexes. */
const COUNT_OUTBOX = `
  SELECT count(*) FILTER (WHERE due_at < 'infinity') AS waiting,
         count(*) FILTER (WHERE due_at = 'infinity') AS parked,
         coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE due_at < 'infinity')), 0)::float8 AS oldest_seconds,
         (SELECT count(*) FROM runs WHERE status = 'running') AS running,
         (SELECT count(DISTINCT root_run_pk) FROM run_interrupts WHERE status = 'pending') AS asking,
         (SELECT count(*) FROM overdue_schedules) AS overdue
  FROM outbox`;

async function readDatabase(sql: Sql): Promise<void> {
  try {
    const [found] = await sql.query<OutboxCounts>(COUNT_OUTBOX);
    isDatabaseUp.set(1);
    outbox.set({ state: 'waiting' }, found?.waiting ?? 0);
    outbox.set({ state: 'parked' }, found?.parked ?? 0);
    oldest.set(found?.oldest_seconds ?? 0);
    open.set(found?.running ?? 0);
    waiting.set(found?.asking ?? 0);
    overdue.set(found?.overdue ?? 0);
  } catch {
    // Metrics must be readable while the database is down.
    isDatabaseUp.set(0);
    outbox.reset();
    oldest.reset();
    open.reset();
    waiting.reset();
    overdue.reset();
  }
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** A database, or the pool of one. */
type Scraped = Sql & { readPool?(): PoolState };

/** @returns all metrics as text, also while the database is down */
export async function readMetrics(db: Scraped, openStreams: number): Promise<string> {
  streams.set(openStreams);
  for (const [state, count] of Object.entries(db.readPool?.() ?? {})) pool.set({ state }, count);
  await readDatabase(db);
  return registry.metrics();
}
