/** Texts of tenants' code, servers and models would appear in the logs of the operator (SPEC SEC-Z11). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { chain, http, node } from '../../support/definitions.ts';
import { startEchoServer, type EchoServer } from '../../support/echo-server.ts';
import { EventStream } from '../../support/event-stream.ts';
import { startService, type Service } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { eventually } from '../../support/waiting.ts';

let database: TestDatabase;
let db: Db;
let echo: EchoServer;
let service: Service;
beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  echo = await startEchoServer();
  service = await startService({
    databaseUrl: database.url,
    temporalAddress: testTemporal().address,
    environment: {
      LOG_LEVEL: 'trace',
      OUTBOUND_ALLOW: echo.hostPort,
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    },
  });
  await db.query(`UPDATE organizations SET plan = 'enterprise'`);
});
afterAll(async () => {
  await service.close();
  await echo.close();
  await db.close();
  await database.drop();
});

/** Runs a workflow to its end. @returns its stream, as text */
async function streamOf(workflow: JsonObject): Promise<string> {
  const started = await service.call(service.apis[0], 'POST', '/workflows/run', { body: { workflow } });
  expect([started.status, started.status === 200 ? '' : started.text]).toEqual([200, '']);
  const address = `${service.apis[0].url}/workflows/listen/${String(started.body.run_id)}`;
  const stream = await EventStream.open(address, { ...service.headers });
  await stream.ended;
  return stream.lines.join('\n');
}

async function credential(integration: string, data: JsonObject): Promise<string> {
  const body = { name: 'x', integration, auth_type: 'api_key', data };
  const made = await service.call(service.apis[0], 'POST', '/credentials', { body });
  expect([made.status, made.status === 201 ? '' : made.text]).toEqual([201, '']);
  return String(made.body.credential_id);
}

const logsOf = (): string => [...service.apis, ...service.workers].map((slot) => slot.said()).join('\n');

test(
  'SEC-Z11: code, servers and models that fail with a marked text leave it in no log',
  { timeout: 120_000 },
  async () => {
    const marks = { thrown: '', server: '', model: '' };
    for (const name of Object.keys(marks) as (keyof typeof marks)[])
      marks[name] = `mark-${name}-${randomUUID()}`;
    const throwing = `export default () => { throw new Error('${marks.thrown}') }`;
    const messages = [{ role: 'user', content: marks.model }];
    const account = await credential('openai', {
      api_key: 'sk-of-a-test',
      base_url: `${echo.origin}/status/400/${marks.model}/v1`,
    });
    const retry = { max_attempts: 2, initial_interval_ms: 1 };
    const streams = await Promise.all([
      streamOf(chain(node('f', 'function', { language: 'javascript', code: throwing, arguments: {} }))),
      streamOf(chain(http('h', `${echo.origin}/status/500/${marks.server}`, { method: 'GET' }, { retry }))),
      streamOf(chain(node('l', 'llm', { provider: 'openai', model: 'm', messages, credential_id: account }))),
    ]);
    expect(streams.map((text) => text.includes('"type":"run_failed"'))).toEqual([true, true, true]);
    expect(streams[0]).toContain(marks.thrown);
    expect(streams[2]).toContain(marks.model);
    expect(echo.said.join('\n')).toContain(marks.server);
    // Each run tells of its failure, or nothing would be proven; a log comes a moment later than the stream.
    const logs = await eventually('the failures in the log', 20_000, () => {
      const said = logsOf();
      return said.split('"msg":"Workflow failed"').length > streams.length ? said : null;
    });
    for (const mark of Object.values(marks)) expect(logs).not.toContain(mark);
  },
);
