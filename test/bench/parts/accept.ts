/** Part `accept`: what POST /workflows/run and an authenticated GET cost beside bare Koa. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Tenant } from '../client.ts';
import { pureChain, toolChain } from '../graphs.ts';
import { roundsOf, type Measured, type Part, type PartLimits, type Row } from '../part.ts';
import { concurrently, inTurns, median, percentile, timed, type Side } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms, perSecond } from '../table.ts';

const WIDTH = 20;
/** A burst is short: what the accepted runs cost later is not part of the answer's price. */
const BURST = 200;

/** An API leaves starts to workers for longer than that (src/platform/outbox/dispatcher.ts). */
const TAKEN_MS = 250;

/** A guess. */
const NOTICED_MS = 1_000;

type Request = () => Promise<unknown>;

/** One request on a machine at rest: what earlier ones started has ended. */
function alone(bench: Bench, request: Request): Side {
  return async () => {
    await bench.quiet();
    return [await timed(request)];
  };
}

/** Answers per second to requests from many connections. */
function burst(bench: Bench, request: Request, count: number): Side {
  return async (isWarmUp) => {
    await bench.quiet();
    const requests = isWarmUp ? count / 4 : count;
    const tookMs = await timed(() => concurrently(requests, WIDTH, request));
    return [(requests * 1_000) / tookMs];
  };
}

/** The same accepted run, four ways. */
async function acceptRequests(bench: Bench, tenant: Tenant, solo: Tenant) {
  const body = { workflow_id: await tenant.deploy('accept', pureChain(1)), input: { value: 1 } };
  const soloBody = { ...body, workflow_id: await solo.deploy('accept', pureChain(1)) };
  return {
    api: () => solo.post('/workflows/run', soloBody),
    insert: () => call('POST', `${bench.peerUrl}/insert`, {}, body),
    awaited: () => call('POST', `${bench.peerUrl}/insert-and-start`, {}, body),
    whole: () => tenant.post('/workflows/run', body),
  };
}

async function measureAccept(bench: Bench, limits: PartLimits, tenant: Tenant): Promise<Measured> {
  const solo = await bench.addApi('accept');
  // There the workers take what the API leaves to them, which is no part of what is measured here.
  const taking = setInterval(() => void solo.db.query('DELETE FROM outbox').catch(() => undefined), TAKEN_MS);
  const { api, insert, awaited, whole } = await acceptRequests(bench, tenant, solo.tenant);
  const times = await inTurns(roundsOf(limits, 150, 40), limits, {
    api: alone(bench, api),
    insert: alone(bench, insert),
    awaited: alone(bench, awaited),
  });
  const rates = await inTurns(roundsOf(limits, 8, 3), limits, {
    api: burst(bench, api, BURST),
    insert: burst(bench, insert, BURST),
    awaited: burst(bench, awaited, BURST),
  });
  const busy = await inTurns(roundsOf(limits, 3, 1), limits, {
    whole: burst(bench, whole, BURST / 2),
    awaited: burst(bench, awaited, BURST / 2),
  });
  clearInterval(taking);
  await solo.stop();
  const spread = (values: readonly number[]): string =>
    `p50 ${ms(median(values))}, p95 ${ms(percentile(values, 0.95))}`;
  const time = (theirs: number[], name: string): Row => ({
    workload: 'POST run',
    service: spread(times.api),
    beside: `${spread(theirs)} ${name}`,
    ratio: median(times.api) / median(theirs),
  });
  const rate = (workload: string, ours: number[], theirs: number[], name: string): Row => ({
    workload: `POST run, rate at ${WIDTH}${workload}`,
    service: perSecond(median(ours)),
    beside: `${perSecond(median(theirs))} ${name}`,
    ratio: median(ours) / median(theirs),
  });
  const [one, both] = ['bare Koa, one insert', 'bare Koa, insert and awaited start'];
  return {
    rows: [
      time(times.insert, one),
      time(times.awaited, both),
      rate('', rates.api, rates.insert, one),
      rate('', rates.api, rates.awaited, both),
      rate(', runs executed meanwhile', busy.whole, busy.awaited, both),
    ],
    values: {
      'accept p50 / bare Koa with one insert': median(times.api) / median(times.insert),
      'accept rate / bare Koa with one insert': median(rates.api) / median(rates.insert),
    },
  };
}

/** From POST to the arrival of the first node's own call. */
async function measureFirstNode(bench: Bench, limits: PartLimits, tenant: Tenant): Promise<Measured> {
  const workflowId = await tenant.deploy('first node', toolChain(1));
  const until =
    (start: (url: string) => Promise<unknown>): Side =>
    async () => {
      await bench.quiet();
      const tag = randomUUID();
      const arrival = bench.tools.firstCall(tag);
      const begun = performance.now();
      await start(bench.tools.url(tag));
      return [(await arrival) - begun];
    };
  const found = await inTurns(roundsOf(limits, 40, 10), limits, {
    ours: until((url) => tenant.start(workflowId, { url })),
    awaited: until((url) => call('POST', `${bench.peerUrl}/insert-and-start-call`, {}, { input: { url } })),
  });
  const [ours, awaited] = [median(found.ours), median(found.awaited)];
  return {
    rows: [
      {
        workload: "POST to the first node's call",
        service: ms(ours),
        beside: `${ms(awaited)} bare Koa, one insert, awaited start of a plain activity`,
        ratio: ours / awaited,
      },
    ],
    values: { 'start to first node / awaited start of a plain activity': ours / awaited },
  };
}

async function measureRead(bench: Bench, limits: PartLimits, tenant: Tenant): Promise<Measured> {
  const workflowId = await tenant.deploy('read', pureChain(10));
  await bench.quiet();
  const count = limits.quick ? 500 : 1_500;
  const found = await inTurns(roundsOf(limits, 8, 3), limits, {
    ours: burst(bench, () => tenant.get(`/workflows/${workflowId}`), count),
    theirs: burst(bench, () => call('GET', `${bench.peerUrl}/workflows/${workflowId}`), count),
  });
  const [ours, theirs] = [median(found.ours), median(found.theirs)];
  return {
    rows: [
      {
        workload: `GET /workflows/{id}, rate at ${WIDTH}`,
        service: perSecond(ours),
        beside: `${perSecond(theirs)} bare Koa, one query`,
        ratio: ours / theirs,
      },
    ],
    values: { 'GET workflow rate / bare Koa with one query': ours / theirs },
  };
}

/** Lets requests take the role of row level security, or not. A connection looks for the role once, so the idle ones are closed. */
async function setWall(bench: Bench, isWalled: boolean): Promise<void> {
  const change = isWalled ? 'GRANT SELECT ON audit_log TO' : 'REVOKE SELECT ON audit_log FROM';
  await bench.db.query(`${change} workflow_tenant`);
  await bench.db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'workflow-automation-service' AND state = 'idle'`,
  );
  // The processes notice it when they read from their sockets.
  await sleep(NOTICED_MS);
}

/** The same requests with row level security, and with a role that may not be taken. */
async function measureWall(bench: Bench, limits: PartLimits, tenant: Tenant): Promise<Measured> {
  const workflowId = await tenant.deploy('wall', pureChain(1));
  const side = (isWalled: boolean, request: Request, count: number): Side => {
    const measure = burst(bench, request, count);
    const connect = burst(bench, request, WIDTH * 10);
    return async (isWarmUp) => {
      await setWall(bench, isWalled);
      await connect(isWarmUp);
      return measure(isWarmUp);
    };
  };
  const list: Request = () => tenant.get('/alerts');
  const runs: Request = () => tenant.get('/workflow-runs');
  const detail: Request = () => tenant.get(`/workflows/${workflowId}`);
  const start: Request = () =>
    tenant.post('/workflows/run', { workflow_id: workflowId, input: { value: 1 } });
  const found = await inTurns(roundsOf(limits, 6, 3), limits, {
    listBare: side(false, list, 500),
    list: side(true, list, 500),
    detailBare: side(false, detail, 500),
    detail: side(true, detail, 500),
    runsBare: side(false, runs, 200),
    runs: side(true, runs, 200),
    startBare: side(false, start, BURST),
    start: side(true, start, BURST),
  });
  await setWall(bench, true);
  const row = (workload: string, walled: number, bare: number): Row => ({
    workload: `${workload}, rate at ${WIDTH}, with row level security`,
    service: perSecond(walled),
    beside: `${perSecond(bare)} without`,
    ratio: walled / bare,
  });
  return {
    rows: [
      row('GET /alerts', median(found.list), median(found.listBare)),
      row('GET /workflows/{id}', median(found.detail), median(found.detailBare)),
      row('GET /workflow-runs', median(found.runs), median(found.runsBare)),
      row('POST run', median(found.start), median(found.startBare)),
    ],
    values: {},
  };
}

export const accept: Part = {
  name: 'accept',
  summary: 'POST /workflows/run and GET /workflows/{id} beside bare Koa',
  weight: 2,
  async run(bench, limits) {
    const tenant = await bench.tenant(0);
    const read = await measureRead(bench, limits, tenant);
    const wall = await measureWall(bench, limits, tenant);
    const first = await measureFirstNode(bench, limits, tenant);
    const accepted = await measureAccept(bench, limits, tenant);
    return {
      rows: [...accepted.rows, ...first.rows, ...read.rows, ...wall.rows],
      values: { ...accepted.values, ...first.values, ...read.values },
    };
  },
};
