/** Spans would not reach the collector of the operator, or would reveal facts of the machine. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { startTracing } from '../../../src/base/observe/start-tracing.ts';
import { activeTraceparent, traced } from '../../../src/base/observe/tracing.ts';

let collector: Server;
let received: { readonly path: string; readonly body: string }[];
beforeEach(async () => {
  received = [];
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString('latin1') });
      response.end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  await new Promise((resolve) => collector.close(resolve));
});

const SERVICE = { name: 'api', version: '1.2.3', environment: 'staging' };
const log = createLog('silent', 'test');
const work = { name: 'work', kind: 'server', traceparent: null, attributes: { 'app.run_pk': 'r1' } } as const;

test('without a collector nothing is traced and nothing is in the way', async () => {
  const tracing = await startTracing(undefined, SERVICE, log);
  expect(await traced(work, async () => activeTraceparent())).toBeNull();
  await expect(traced(work, () => Promise.reject(new Error('as it was')))).rejects.toThrow('as it was');
  await tracing.stop();
});

test('spans reach the collector that is named, and tell nothing of the machine', async () => {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
  const tracing = await startTracing(endpoint, SERVICE, log);
  const traceparent = await traced(work, async () => activeTraceparent());
  expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await tracing.stop();
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
  const [{ body } = { body: '' }] = received;
  for (const word of ['workflow-automation-api', 'work', 'app.run_pk', 'r1', '1.2.3', 'staging'])
    expect(body).toContain(word);
  for (const word of [process.cwd(), 'host.name', 'process.command', process.execPath]) {
    expect(body).not.toContain(word);
  }
});
