/**
 * What a second tenant waits for while the first one sends its worst: figures for `TEST_FIGURES=1`, which depend on the machine, so nothing
 * is asserted of them. The bound to compare with: under twice the idle p95 plus a second.
 */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { systemClock } from '../../src/base/clock.ts';
import { buildAnswerUrl } from '../../src/features/answers/link.ts';
import { MAX_FORM_FIELDS } from '../../src/platform/http/form.ts';
import { chain, node, transform } from '../support/definitions.ts';
import { noteFigures, p95 } from '../support/figures.ts';
import { eventually } from '../support/waiting.ts';
import { startSituation, type Situation } from './support/situation.ts';

const API_KEY_SECRET = 'the secret of links in this test, which is long';
const SOCKETS = 40;
const PROBES = 60;
/** Pauses between two probes, as of a person's page. */
const PAUSE_MS = 50;
const ADDRESS = 'bob@example.com';

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

let at: Situation;
/** The headers of the second tenant. */
let second: Readonly<Record<string, string>>;

async function call(method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) {
  const answer = await at.service.call(at.service.apis[0], method, path, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.body;
}

async function openSecondTenant(): Promise<Readonly<Record<string, string>>> {
  const { id } = await call('POST', '/organizations', {}, { name: 'The second tenant' });
  await at.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  return { 'x-organization-id': id };
}

async function openHook(): Promise<string> {
  const definition = chain(transform('t', { ok: true }));
  const { id } = await call('POST', '/workflows', {}, { name: 'Hooked', workflow_schema: definition });
  await call('POST', `/workflows/${id}/deploy`, {});
  const { url } = await call('POST', `/workflows/${id}/hooks`, {}, { name: 'Orders' });
  return new URL(url).pathname;
}

/** A run that asks for as many fields as a form may have, and the path of the link to its question. */
async function openForm(): Promise<string> {
  const { db, service } = at;
  const fields = Array.from({ length: MAX_FORM_FIELDS }, (_, field) => [`f${field}`, { type: 'string' }]);
  const form = { type: 'object', properties: Object.fromEntries(fields) as JsonObject, required: ['f0'] };
  const config = { kind: 'input', title: 'Many fields', form, assignees: { emails: [ADDRESS] } };
  const { run_id: runId } = await call(
    'POST',
    '/workflows/run',
    {},
    { workflow: chain(node('q', 'interrupt', config)) },
  );
  const { interruptId, rootRunPk } = await eventually('the question', 60_000, async () => {
    const [row] = await db.query<{ interruptId: string; rootRunPk: string }>(
      `SELECT i.id AS "interruptId", i.root_run_pk AS "rootRunPk" FROM run_interrupts i JOIN runs r ON r.id = i.run_pk
       WHERE r.run_id = $1 AND r.status = 'interrupted'`,
      [runId],
    );
    return row ?? null;
  });
  const place = { organizationId: service.organizationId, rootRunPk, interruptId };
  const key = { secret: API_KEY_SECRET, origin: service.apis[0].url };
  return new URL(buildAnswerUrl(key, { ...place, address: ADDRESS })).pathname;
}

const FORM = 'application/x-www-form-urlencoded';

/** The bodies that have held an API. */
async function listShots(): Promise<Shot[]> {
  const headers = at.service.headers;
  const keys = (count: number): string =>
    `{${Array.from({ length: count }, (_, key) => `"k${key}":${key % 10}`).join(',')}}`;
  const wrapped = (input: string): string =>
    `{"name":"x","workflow_schema":{"nodes":[],"edges":[]},"input":${input}}`;
  const pairs = Array.from({ length: MAX_FORM_FIELDS }, (_, field) => `data.f${field + 1}=x`).join('&');
  const json = { type: 'application/json', headers };
  const missing = `/workflows/${crypto.randomUUID()}`;
  return [
    { method: 'POST', path: await openHook(), type: FORM, body: 'a=1&'.repeat(20_000), headers: {} },
    { method: 'POST', path: await openForm(), type: FORM, body: pairs, headers: {} },
    { method: 'PUT', path: missing, body: wrapped(keys(280_000)), ...json },
    { method: 'PUT', path: missing, body: wrapped(keys(160_000)), ...json },
  ];
}

/** Sends one request on a socket that is kept. @returns its status */
function shoot(agent: Agent, shot: Shot): Promise<number> {
  const url = new URL(shot.path, at.service.apis[0].url);
  const length = String(Buffer.byteLength(shot.body));
  const headers = { ...shot.headers, 'content-type': shot.type, 'content-length': length };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: shot.method, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(shot.body);
  });
}

/** Reads the second tenant's workflows again and again. @returns how long each answer took, in ms; refusals count, too */
async function probe(): Promise<{ readonly took: readonly number[]; readonly failed: number }> {
  const took: number[] = [];
  let failed = 0;
  const { service } = at;
  for (let index = 0; index < PROBES; index += 1) {
    const began = systemClock.monotonic();
    const answer = await service
      .call(service.apis[0], 'GET', '/workflows', { headers: second })
      .catch(() => null);
    took.push(systemClock.monotonic() - began);
    if (answer?.status !== 200) failed += 1;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { took, failed };
}

/** Sends from all sockets until `work` has ended. @returns its result, and how many answers came by status */
async function underFire<Result>(shots: readonly Shot[], work: () => Promise<Result>) {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  const statuses = new Map<string, number>();
  let isOver = false;
  const sockets = Array.from({ length: SOCKETS }, async (_, index) => {
    const shot = shots[index % shots.length]!;
    while (!isOver) {
      const status = String(await shoot(agent, shot).catch((error: Error) => error.message));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const result = await work();
  isOver = true;
  await Promise.all(sockets);
  agent.destroy();
  return { result, statuses: Object.fromEntries(statuses) };
}

const summarize = ({ took, failed }: Awaited<ReturnType<typeof probe>>) => ({
  'p95 ms': p95(took),
  'most ms': Math.max(...took),
  'not answered': failed,
});

/** A function that counts the characters of its arguments. */
const counting = (id: string, text: string, more: JsonObject = {}) =>
  node(
    id,
    'function',
    {
      language: 'javascript',
      code: 'export default ({ a, b }) => a.length + b.length',
      arguments: { a: text, b: text },
    },
    more,
  );

/** Runs a definition of a tenant. @returns how long it took, in ms */
async function timeRun(headers: Readonly<Record<string, string>>, definition: object, input: object) {
  const began = systemClock.monotonic();
  const { run_id: runId } = await call('POST', '/workflows/run', headers, { workflow: definition, input });
  const status = await eventually('a run to end', 300_000, async () => {
    const [row] = await at.db.query<{ status: string }>('SELECT status FROM runs WHERE run_id = $1', [runId]);
    return row === undefined || row.status === 'running' ? null : row.status;
  });
  expect(status).toBe('completed');
  return systemClock.monotonic() - began;
}

describe.runIf(process.env['TEST_FIGURES'] !== undefined)('a second tenant', () => {
  beforeAll(async () => {
    at = await startSituation({
      environment: { API_KEY_SECRET, ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` },
    });
    second = await openSecondTenant();
  });
  afterAll(() => at.close());

  test('reads while the first sends forms and JSON from forty sockets', async () => {
    const shots = await listShots();
    await probe();
    const idle = p95((await probe()).took);
    for (const shot of shots) {
      const alone = await underFire([shot], probe);
      noteFigures(
        `${shot.method} ${shot.path.slice(0, 10)} of ${shot.body.length} bytes from ${SOCKETS} sockets`,
        {
          ...summarize(alone.result),
          ...alone.statuses,
        },
      );
    }
    const all = await underFire(shots, probe);
    noteFigures('all of them', {
      'idle p95 ms': idle,
      'bound ms': 2 * idle + 1_000,
      ...summarize(all.result),
      ...all.statuses,
    });
  }, 600_000);

  test('runs one function while the first runs five times a hundred with large arguments', async () => {
    const one = chain(counting('f', '{{input.text}}'));
    const crowd = chain(
      counting('f', '{{input.text}}', {
        for_each: { items: Array.from({ length: 100 }, (_, i) => i), max_concurrency: 100 },
      }),
    );
    const large = { text: 'x'.repeat(3_500_000) };
    const alone: number[] = [];
    for (let index = 0; index < 10; index += 1) alone.push(await timeRun(second, one, { text: 'x' }));
    const began = systemClock.monotonic();
    const crowds = Promise.all(Array.from({ length: 5 }, () => timeRun({}, crowd, large)));
    let isOver = false;
    void crowds.finally(() => (isOver = true)).catch(() => undefined);
    const beside: number[] = [];
    while (!isOver) beside.push(await timeRun(second, one, { text: 'x' }));
    await crowds;
    noteFigures('one function beside five hundred', {
      'alone p50 ms': alone.toSorted((a, b) => a - b)[5] ?? NaN,
      'alone most ms': Math.max(...alone),
      'beside p50 ms': beside.toSorted((a, b) => a - b)[beside.length >> 1] ?? NaN,
      'beside p95 ms': p95(beside),
      'beside most ms': Math.max(...beside),
      'runs beside': beside.length,
      'the crowd took ms': systemClock.monotonic() - began,
    });
  }, 600_000);
});
