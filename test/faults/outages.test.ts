/**
 * If this failed, a server could be away through a night while every probe and metric says that all is well (SPEC REL-R34), or fill the logs
 * with lines of one cause (SPEC REL-R35). Each row of the table of src/base/observe/operations/README.md is made true and compared.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { migrate } from '../../src/base/db/migrate.ts';
import { ROOT } from '../../src/processes/local/paths.ts';
import { findAnyPort } from '../../src/processes/local/ports.ts';
import { chain, transform } from '../support/definitions.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../support/crashable-postgres.ts';
import { startCrashableTemporal, type CrashableTemporal } from '../support/crashable-temporal.ts';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import type { Realtime, Slot } from '../support/service.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { startSituation, type Situation } from './support/situation.ts';

const OPERATIONS = join(ROOT, 'src/base/observe/operations');
/** As the table promises. */
const WITHIN_MS = 60_000;
/** Between two looks at all processes. */
const LOOK_MS = 500;
const TOKEN = 'the-token-of-this-scraper';

/** The rows of the table by what is away. */
function readTable(): Map<string, Readonly<Record<string, string>>> {
  const lines = readFileSync(join(OPERATIONS, 'README.md'), 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('| away |'));
  const cells = (line = ''): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const titles = cells(lines[begin]);
  const rows = new Map<string, Readonly<Record<string, string>>>();
  for (const line of lines.slice(begin + 2)) {
    if (!line.startsWith('|')) break;
    const [away = '', ...others] = cells(line);
    rows.set(away, Object.fromEntries(others.map((cell, index) => [titles[index + 1] ?? '', cell])));
  }
  return rows;
}
const TABLE = readTable();

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

const { groups } = parse(readFileSync(join(OPERATIONS, 'alerts.yml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
/** Alerts that the table names; a flicker of another one is not its subject. */
const NAMED = groups
  .flatMap(({ rules }) => rules)
  .filter(({ alert }) => [...TABLE.values()].some((row) => row['alert']?.split(', ').includes(alert)));

/** Evaluates one condition of an alert. @throws for one in words that it does not know */
function holds(condition: string, samples: readonly Sample[]): boolean {
  const [, absent, label = ''] = /^absent\((\w+)(?:\{(.*)\})?\)$/.exec(condition) ?? [];
  if (absent !== undefined)
    return !samples.some(({ name, labels }) => name === absent && labels.includes(label));
  const [, fold, metric, sign, limit] =
    /^(min|max|sum by \(worker\)) \((\w+)\) (==|>) (\d+)$/.exec(condition.replace(/^(min|max)\(/, '$1 (')) ??
    [];
  if (metric === undefined) throw new Error(`not understood: ${condition}`);
  const values = samples.filter(({ name }) => name === metric).map(({ value }) => value);
  if (values.length === 0) return false;
  const value = fold === 'max' ? Math.max(...values) : Math.min(...values);
  return sign === '>' ? value > Number(limit) : value === Number(limit);
}

let postgres: CrashablePostgres;
let temporal: CrashableTemporal;
let identity: IdentityProvider;
let embedding: ModelServer;
let model: TcpProxy;
let embeddings: TcpProxy;
let mails: TcpProxy;
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
let situation: Situation;
let realtime: Realtime;
let environment: Record<string, string>;
let workerUrl: string;

const toTarget = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });

beforeAll(async () => {
  [postgres, temporal, identity, embedding, smtp] = await Promise.all([
    startCrashablePostgres(),
    startCrashableTemporal(),
    startIdentityProvider(),
    startModelServer(),
    startSmtpServer(),
  ]);
  await migrate(postgres.url);
  [model, embeddings, mails] = await Promise.all([
    startTcpProxy(toTarget(embedding.baseUrl)),
    startTcpProxy(toTarget(embedding.baseUrl)),
    startTcpProxy(toTarget(smtp.url)),
  ]);
  const workerPort = await findAnyPort();
  workerUrl = `http://127.0.0.1:${workerPort}`;
  environment = {
    AUTH_JWKS_URL: identity.jwksUrl,
    METRICS_TOKEN: TOKEN,
    WORKER_PORT: String(workerPort),
    MANAGED_LLM_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
    MANAGED_EMBEDDING_BASE_URL: `http://127.0.0.1:${embeddings.port}/v1`,
    MANAGED_LLM_MODEL: 'test-model',
    MANAGED_EMBEDDING_MODEL: 'test-embedding',
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'workflows@example.test',
  };
  situation = await startSituation({
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    environment,
  });
  // One of each kind: what is told is told by all.
  const { apis, workers } = situation.service;
  for (const slot of [apis[1], ...workers]) await slot.kill();
  await workers[0].start();
  realtime = await situation.service.addRealtime();
}, 240_000);
afterAll(async () => {
  await situation.close();
  for (const proxy of [model, embeddings, mails]) await proxy.close();
  for (const server of [embedding, smtp]) await server.close();
  await identity.stop();
  await Promise.all([temporal.close(), postgres.close()]);
});

/** Asks a probe. @returns its status and what fails, as in the table */
async function probe(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(20_000) });
    const { failing } = (await response.json()) as { failing: string[] };
    return [response.status, ...failing.map((name) => `\`${name}\``)].join(' ');
  } catch {
    return '–';
  }
}

async function scrape(url: string): Promise<Sample[]> {
  try {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const text = await (
      await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(20_000) })
    ).text();
    return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
      name,
      labels,
      value: Number(value),
    }));
  } catch {
    return [];
  }
}

/** Starts a run. @returns the status of the answer; – when there is none */
async function start(): Promise<string> {
  const { service } = situation;
  const workflow = chain(transform('result', { done: true }));
  const body = { workflow, input: {} };
  const answer = await service.call(service.apis[0], 'POST', '/workflows/run', { body }).catch(() => null);
  return answer === null ? '–' : String(answer.status);
}

/** The checks of the doctor that fail. */
function diagnose(): Promise<string[]> {
  const env = {
    PATH: process.env['PATH'],
    APP_ENV: 'test',
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_TASK_QUEUE: situation.service.taskQueue,
    AUTH_ISSUER: identity.issuer,
    ...environment,
  };
  const args = [join(inject('builtService'), 'src/processes/admin.js'), 'doctor', '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (_, out) => {
      try {
        const { checks } = JSON.parse(out) as { checks: { check: string; status: string }[] };
        // Temporal lists the poller of a stopped worker for five minutes, and that of a new one after its first poll.
        const failed = checks.filter(({ check, status }) => status === 'failed' && check !== 'task queues');
        resolve(failed.map(({ check }) => check));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

type Observation = Readonly<Record<string, string>>;
const list = (items: readonly string[]): string => (items.length === 0 ? '–' : items.join(', '));

/** All but the start and the doctor, which are asked once the rest is as it should be. */
async function observe(metric = '–'): Promise<Observation> {
  const urls = [situation.service.apis[0].url, workerUrl, realtime.url] as const;
  const [api = '', worker = '', canvas = ''] = await Promise.all(urls.map(probe));
  const samples = (await Promise.all(urls.map(scrape))).flat();
  const [, name, value] = /^`(\w+) (\d+)`$/.exec(metric) ?? [];
  const isSeen = samples.some((sample) => sample.name === name && sample.value === Number(value));
  const alerts = NAMED.filter(({ expr }) =>
    expr.split(/\s+or\s+/).some((part) => holds(part.trim(), samples)),
  );
  return {
    'API `/ready`': api,
    'worker `/ready`': worker,
    'realtime `/ready`': canvas,
    metric: name === undefined || isSeen ? metric : 'not seen',
    alert: list(alerts.map(({ alert }) => alert)),
  };
}

const HEALTHY: Observation = {
  'API `/ready`': '200',
  'worker `/ready`': '200',
  'realtime `/ready`': '200',
  metric: '–',
  alert: '–',
};

/** Waits until what is observed is as expected; says what it was instead. */
async function expectSoon(expected: Observation): Promise<void> {
  let seen: Observation = {};
  const wanted = JSON.stringify(expected);
  await eventually('the situation of the table', WITHIN_MS, async () => {
    seen = await observe(expected['metric']);
    await sleep(LOOK_MS);
    return JSON.stringify(seen) === wanted || null;
  }).catch(() => expect(seen).toEqual(expected));
}

/** Lines of a process that are warnings or worse. */
const readWarnings = (slot: Slot): string[] =>
  slot
    .said()
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line));
const countWarnings = (slot: Slot): number => readWarnings(slot).length;

/** The messages of each outage by its cause, and of all other warnings, once all outages are over in the log. @param before lines that the process had written by then */
const readOutages = (slot: Slot, before: number): Promise<Record<string, string[]>> =>
  eventually(`${slot.name} to tell the end`, WITHIN_MS, () => {
    const causes: Record<string, string[]> = {};
    for (const line of readWarnings(slot).slice(before)) {
      const { outage = 'none', msg } = JSON.parse(line) as { outage?: string; msg: string };
      (causes[outage] ??= []).push(msg);
    }
    const outages = Object.entries(causes).filter(([cause]) => cause !== 'none');
    return outages.length > 0 && outages.every(([, messages]) => messages.at(-1) === OUTAGE.at(-1))
      ? causes
      : null;
  });
const OUTAGE = ['an outage: further lines of this cause are left out', 'the outage is over'];
/** On a busy machine Temporal may answer late, too, which is an outage of its own. */
const CAUSES = {
  PostgreSQL: [{ database: OUTAGE }, { database: OUTAGE, temporal: OUTAGE }],
  Temporal: [{ temporal: OUTAGE }],
};

/** Loses a schedule: its row says that it was due, and nothing fires. */
async function loseSchedule(): Promise<void> {
  const { service, db } = situation;
  const { body: workflow } = await service.call(service.apis[0], 'POST', '/workflows', {
    body: { name: 'W', workflow_schema: chain(transform('result', { done: true })) },
  });
  const { status } = await service.call(service.apis[0], 'POST', '/schedules', {
    body: { workflow_id: workflow.id, name: 'Yearly', cron_expression: '0 0 1 1 *' },
  });
  expect(status).toBe(201);
  await db.query(`UPDATE schedules SET next_due_at = now() - interval '61 seconds'`);
}

interface Fault {
  readonly stop: () => unknown;
  readonly start: () => unknown;
}
const FAULTS: Readonly<Record<string, () => Fault>> = {
  PostgreSQL: () => ({ stop: () => postgres.kill(), start: () => postgres.start() }),
  Temporal: () => ({ stop: () => temporal.kill(), start: () => temporal.start() }),
  'a schedule in Temporal': () => ({
    stop: loseSchedule,
    start: () => situation.db.query('DELETE FROM schedules'),
  }),
  'identity provider': () => ({
    stop: () => identity.answerWith((response) => response.destroy()),
    start: () => identity.answerWith(null),
  }),
  'managed model': () => ({ stop: () => model.become('refused'), start: () => model.become('open') }),
  'managed embedding model': () => ({
    stop: () => embeddings.become('refused'),
    start: () => embeddings.become('open'),
  }),
  'mail server': () => ({ stop: () => mails.become('refused'), start: () => mails.become('open') }),
  workers: () => ({
    stop: () => situation.service.workers[0].kill(),
    start: () => situation.service.workers[0].start(),
  }),
  'realtime processes': () => ({ stop: () => realtime.slot.kill(), start: () => realtime.slot.start() }),
  'API processes': () => ({
    stop: () => situation.service.apis[0].kill(),
    start: () => situation.service.apis[0].start(),
  }),
};

test('the table has a row for each fault that is tried, and no other', () => {
  expect([...TABLE.keys()]).toEqual(Object.keys(FAULTS));
});

test.each(Object.entries(FAULTS))(
  'REL-R34, REL-R35: without %s the probes, metrics, alerts and the doctor say within a minute what the table says, in few lines of log',
  async (away, describeFault) => {
    const row = TABLE.get(away) ?? {};
    const { stop, start: restore } = describeFault();
    const { apis, workers } = situation.service;
    const slots: readonly Slot[] = [apis[0], workers[0], realtime.slot];
    await expectSoon(HEALTHY);
    const before = slots.map(countWarnings);
    await stop();
    try {
      const { 'a start': started, '`doctor` fails': failed, ...observed } = row;
      await expectSoon(observed);
      expect(await start()).toBe(started);
      // A worker's lease outlives it by seconds.
      await expect
        .poll(async () => list(await diagnose()), { timeout: WITHIN_MS, interval: LOOK_MS })
        .toBe(failed);
    } finally {
      await restore();
    }
    await expectSoon(HEALTHY);
    // The begin and the end; a reminder when all of this has taken more than a minute.
    const lines = slots.map((slot, index) => countWarnings(slot) - (before[index] ?? 0));
    if (process.env['TEST_FIGURES'] === '1') console.log(away, 'lines of API, worker, realtime:', lines);
    for (const count of lines) expect(count).toBeLessThanOrEqual(4);
  },
  240_000,
);

test.each([
  ['PostgreSQL', 30_000],
  ['Temporal', 45_000],
] as const)(
  'REL-R35: %s that is away for %i ms under load is two lines in the logs of an API and of a worker',
  async (away, ms) => {
    const { stop, start: restore } = FAULTS[away]?.() ?? { stop: () => {}, start: () => {} };
    const { apis, workers } = situation.service;
    const slots = [apis[0], workers[0]];
    await expectSoon(HEALTHY);
    await eventually('the outages before to be over', WITHIN_MS, () =>
      slots.every((slot) => /outage is over|^$/.test(readWarnings(slot).at(-1) ?? '')) ? true : null,
    );
    const before = slots.map(countWarnings);
    await stop();
    // Starts come in meanwhile, and each is refused or waits.
    const until = Date.now() + ms;
    while (Date.now() < until) {
      await start();
      await sleep(LOOK_MS);
    }
    await restore();
    for (const [index, slot] of slots.entries()) {
      expect(CAUSES[away], slot.name).toContainEqual(await readOutages(slot, before[index] ?? 0));
    }
  },
  300_000,
);

test('REL-R35: processes that start without PostgreSQL tell of it in one line, and serve once it is there', async () => {
  const { apis, workers } = situation.service;
  const slots = [apis[0], workers[0]];
  await expectSoon(HEALTHY);
  for (const slot of slots) await slot.terminate();
  const before = slots.map(countWarnings);
  await postgres.kill();
  const starting = Promise.all(slots.map((slot) => slot.start()));
  starting.catch(() => undefined);
  // A busy machine takes long until a process looks for its database.
  for (const [index, slot] of slots.entries()) {
    await eventually(
      `${slot.name} to tell of it`,
      WITHIN_MS,
      () => countWarnings(slot) > (before[index] ?? 0) || null,
    );
  }
  await sleep(15_000);
  await postgres.start();
  await starting;
  for (const [index, slot] of slots.entries()) {
    expect(CAUSES.PostgreSQL, slot.name).toContainEqual(await readOutages(slot, before[index] ?? 0));
  }
  await expectSoon(HEALTHY);
}, 300_000);
