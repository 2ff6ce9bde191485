/** The API would wait for ever for Temporal, or report its failure as something else. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig, type Config } from '../../src/base/config/config.ts';
import { createLog } from '../../src/base/log.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { type RunEngine, type StartDescription } from '../../src/engine/runs/engine.ts';
import { SEARCH_ATTRIBUTES, toRunWorkflowId } from '../../temporal/contract.ts';
import { dataConverterOptions } from '../../temporal/codec/data-converter.ts';
import { inspectTemporal } from '../../temporal/client/inspect.ts';
import { prepareNamespace } from '../../temporal/client/namespace.ts';
import { ensureSearchAttributes } from '../../temporal/client/search-attributes.ts';
import { installRuntime, interpreterBundle } from '../support/engine.ts';
import { testTemporal } from '../support/temporal.ts';
import { sleep } from '../support/waiting.ts';

const log = createLog('silent', 'test');
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const ENCRYPTION_KEYS = `new:${key(1)},old:${key(2)}`;

function configOf(address: string, more: Record<string, string> = {}): Config {
  return readConfig({
    APP_ENV: 'test',
    DATABASE_URL: 'postgresql://unused',
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TASK_QUEUE: `client-test-${randomUUID()}`,
    ...more,
  });
}

const newRun = (more: Partial<StartDescription> = {}): StartDescription => ({
  organizationId: randomUUID(),
  rootRunPk: randomUUID(),
  runId: randomUUID(),
  workflowId: randomUUID(),
  deploymentId: null,
  workflowName: 'Secret triage',
  workflowVersion: '3.0.0',
  triggerType: 'api',
  threadId: randomUUID(),
  isAdHoc: false,
  ...more,
});

describe('the engine with a server', () => {
  let address: string;
  let connection: Connection;
  let engine: RunEngine;
  let encrypting: RunEngine;
  beforeAll(async () => {
    address = testTemporal().address;
    connection = await Connection.connect({ address });
    engine = await connectEngine(configOf(address), log);
    encrypting = await connectEngine(configOf(address, { ENCRYPTION_KEYS }), log);
  });
  afterAll(async () => {
    await engine.close();
    await encrypting.close();
    await connection.close();
  });

  const describeRaw = async (run: StartDescription) =>
    connection.workflowService.describeWorkflowExecution({
      namespace: 'default',
      execution: { workflowId: toRunWorkflowId(run.organizationId, run.rootRunPk) },
    });

  test('registers the search attributes, and doing it again changes nothing', async () => {
    for (let time = 0; time < 2; time += 1) {
      const registered = await ensureSearchAttributes(
        connection,
        { namespace: 'default', showsNames: false },
        log,
      );
      expect([...registered]).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
    }
  });

  test('a namespace that was just created has the search attributes, though the server denies it at first', async () => {
    const setup = { namespace: `new-${randomUUID()}`, retentionDays: 1, showsNames: false };
    const names = Object.keys(SEARCH_ATTRIBUTES);
    expect(await prepareNamespace(connection, setup, log)).toEqual({
      namespace: setup.namespace,
      isNew: true,
      searchAttributes: names,
    });
    expect((await prepareNamespace(connection, setup, log)).isNew).toBe(false);
  });

  test('concurrent starts of one run start it once, and the others are told', async () => {
    const run = newRun();
    // A call has a deadline; a server that stalls past it is asked again, as the dispatcher does.
    const start = () => engine.start(run).catch(() => engine.start(run));
    expect(await Promise.all(Array.from({ length: 8 }, start))).toContain('started');
    expect((await engine.describe(run)).status).toBe('RUNNING');
    await engine.terminate(run, 'test');
    expect(await engine.start(run)).toBe('already_started');
    expect((await engine.describe(run)).status).toBe('TERMINATED');
  });

  test('a start beside a worker brings the first task along; beside none that takes it, it waits for one', async () => {
    const config = configOf(address);
    installRuntime();
    const native = await NativeConnection.connect({ address });
    const eager = await connectEngine(config, log, native);
    const newWorker = () =>
      Worker.create({
        connection: native,
        taskQueue: config.temporal.taskQueue,
        ...interpreterBundle(),
        activities: { advance: async () => answer },
      });
    const answer = {
      repeated: false,
      progress: '',
      runPk: '',
      maps: [],
      state: 'closed',
      status: 'completed',
      error: null,
    } as const;
    /** Whether the first workflow task of a run was handed out with the answer to its start; and how the run ended. */
    const started = async (run: StartDescription): Promise<[boolean, string]> => {
      const execution = { workflowId: toRunWorkflowId(run.organizationId, run.rootRunPk) };
      const { status } = await vi.waitUntil(
        async () => {
          const state = await engine.describe(run);
          return state.status === 'RUNNING' ? null : state;
        },
        { timeout: 20_000 },
      );
      const { history } = await connection.workflowService.getWorkflowExecutionHistory({
        namespace: 'default',
        execution,
      });
      return [
        history?.events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted === true,
        status,
      ];
    };
    try {
      const [waits, eagerly] = [newRun(), newRun()];
      await eager.start(waits);
      await (
        await newWorker()
      ).runUntil(async () => {
        expect(await started(waits)).toEqual([false, 'COMPLETED']);
        await eager.start(eagerly);
        expect(await started(eagerly)).toEqual([true, 'COMPLETED']);
        expect(await eager.start(eagerly)).toBe('already_started');
      });
    } finally {
      await eager.close();
      await native.close();
    }
  });

  test('an execution is readable for operators', async () => {
    const run = newRun();
    await engine.start(run);
    const client = new Client({ connection });
    const described = await client.workflow
      .getHandle(toRunWorkflowId(run.organizationId, run.rootRunPk))
      .describe();
    expect(described.type).toBe('interpretWorkflow');
    expect(described.memo).toEqual({
      workflow_name: 'Secret triage',
      workflow_version: '3.0.0',
      run_id: run.runId,
    });
    expect(await described.staticSummary()).toBe('Secret triage · v3.0.0 · api');
    const attributes = Object.fromEntries(
      described.typedSearchAttributes.getAll().map(({ key: { name }, value }) => [name, value]),
    );
    expect(attributes).toMatchObject({
      OrganizationId: run.organizationId,
      WorkflowDefinitionId: run.workflowId,
      TriggerType: 'api',
      RunStatus: 'running',
      ThreadId: run.threadId,
      IsAdHoc: false,
    });
    expect(attributes).not.toHaveProperty('DeploymentId');
    expect(described.priority).toMatchObject({ priorityKey: 2, fairnessKey: run.organizationId });
    await engine.terminate(run, 'test');
  });

  test('a summary is cut between characters at 200 bytes', async () => {
    const run = newRun({ workflowName: `x${'ü'.repeat(150)}` });
    await engine.start(run);
    const { workflow } = new Client({ connection });
    const handle = workflow.getHandle(toRunWorkflowId(run.organizationId, run.rootRunPk));
    expect(await (await handle.describe()).staticSummary()).toBe(`x${'ü'.repeat(99)}`);
    await engine.terminate(run, 'test');
  });

  test('the name is a search attribute where operators may see names, and the facts come first in the one argument', async () => {
    const shown = await connectEngine(configOf(address, { TEMPORAL_SHOW_NAMES: '1' }), log);
    const [run, quiet] = [newRun(), newRun()];
    const named = async (of: StartDescription) => {
      const handle = new Client({ connection }).workflow.getHandle(
        toRunWorkflowId(of.organizationId, of.rootRunPk),
      );
      return (await handle.describe()).searchAttributes['WorkflowName'];
    };
    try {
      // Registered a moment ago: the server may not know it at once, and the run starts without.
      await vi.waitFor(
        async () => {
          const next = { ...run, rootRunPk: randomUUID() };
          await shown.start(next);
          expect(await named(next)).toEqual(['Secret triage']);
          const { history } = await connection.workflowService.getWorkflowExecutionHistory({
            namespace: 'default',
            execution: { workflowId: toRunWorkflowId(next.organizationId, next.rootRunPk) },
          });
          const { input } = history?.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
          const [facts, ...others] = (input?.payloads ?? []).map(({ data }) =>
            Buffer.from(data ?? []).toString(),
          );
          expect(facts).toMatch(/^\{"run":\{"workflow":"Secret triage","version":"3.0.0","trigger":"api"/);
          expect(others).toEqual([]);
          await shown.terminate(next, 'test');
        },
        { timeout: 30_000, interval: 500 },
      );
      await engine.start(quiet);
      expect(await named(quiet)).toBeUndefined();
      await engine.terminate(quiet, 'test');
    } finally {
      await shown.close();
    }
  });

  test('with keys, nothing but ids and closed words is in clear', async () => {
    const run = newRun();
    await encrypting.start(run);
    const raw = await describeRaw(run);
    const { history } = await connection.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId: toRunWorkflowId(run.organizationId, run.rootRunPk) },
    });
    /** Every text and every run of bytes below a message. */
    const bytes = (value: unknown): string => {
      if (value instanceof Uint8Array) return `${Buffer.from(value).toString('latin1')}\n`;
      if (typeof value === 'object' && value !== null) return Object.values(value).map(bytes).join('');
      return typeof value === 'string' ? `${value}\n` : '';
    };
    for (const stored of [bytes(raw), bytes(history)]) {
      expect(stored).not.toContain('Secret triage');
      expect(stored).toContain('binary/encrypted');
    }
    await encrypting.terminate(run, 'test');
  });

  test('metadata is in the memo, and operators who may see names find runs by it', async () => {
    const shown = await connectEngine(configOf(address, { TEMPORAL_SHOW_NAMES: '1' }), log);
    const run = newRun({ metadata: { customer: 'acme', long: 'x'.repeat(2_000) } });
    await shown.start(run);
    const raw = await describeRaw(run);
    const fields = raw.workflowExecutionInfo?.memo?.fields ?? {};
    expect(JSON.parse(Buffer.from(fields['metadata']?.data ?? []).toString())).toEqual(run.metadata);
    const found = raw.workflowExecutionInfo?.searchAttributes?.indexedFields?.['RunMetadata']?.data ?? [];
    expect(JSON.parse(Buffer.from(found).toString())).toEqual(['customer:acme']);
    await shown.terminate(run, 'test');
    await shown.close();
  });

  test('a missing execution is an answer, not an error', async () => {
    const run = newRun();
    expect(await engine.resume(run)).toBe(false);
    expect(await engine.describe(run)).toEqual({
      status: 'NOT_FOUND',
      heartbeats: [],
      workflowTaskAttempt: 0,
    });
    await engine.cancel(run);
    await engine.terminate(run, 'test');
    await engine.start(run);
    expect(await engine.resume(run)).toBe(true);
    await engine.terminate(run, 'test');
    expect(await engine.resume(run)).toBe(false);
  });

  test('a definite refusal is told apart from an unknown outcome', async () => {
    const run = newRun({ organizationId: 'x'.repeat(2_000) });
    await expect(engine.start(run)).rejects.toMatchObject({ name: 'TemporalRejected' });
  });

  test('an oversized payload never reaches the wire', async () => {
    const run = newRun({ workflowName: 'x'.repeat(200_000) });
    await expect(engine.start(run)).rejects.toMatchObject({ name: 'TemporalRejected' });
    expect((await engine.describe(run)).status).toBe('NOT_FOUND');
  });

  test('positions come back from heartbeats, through the codec', async () => {
    const position = { node_id: 'n', attempt: 1, seq: 9, tokens: 3 };
    const { decodePayloads } = await import('../../temporal/codec/data-converter.ts');
    const { defaultPayloadConverter } = await import('@temporalio/common');
    const converter = dataConverterOptions(configOf(address, { ENCRYPTION_KEYS }));
    let payloads = [defaultPayloadConverter.toPayload(position)];
    for (const codec of converter.payloadCodecs ?? []) payloads = await codec.encode(payloads);
    expect(await decodePayloads(converter, payloads)).toEqual([position]);
  });
});

describe('the engine without a server', () => {
  test('connects without waiting, and its calls fail within their deadline', async () => {
    // Takes connections and never answers: the worst kind of away.
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const engine = await connectEngine(configOf(`127.0.0.1:${port}`), log);
    const scheduleId = randomUUID();
    const document = { organizationId: randomUUID(), documentId: randomUUID(), attempt: 1 };
    const unavailable = { name: 'TemporalUnavailable' };
    await Promise.all([
      expect(engine.start(newRun())).rejects.toThrow(),
      expect(engine.describe(newRun())).rejects.toThrow(),
      expect(engine.resume(newRun())).rejects.toMatchObject(unavailable),
      expect(engine.cancel(newRun())).rejects.toMatchObject(unavailable),
      expect(engine.schedules.remove(scheduleId)).rejects.toMatchObject(unavailable),
      expect(engine.ingests.start(document)).rejects.toMatchObject(unavailable),
      expect(engine.ingests.readState(document)).rejects.toMatchObject(unavailable),
    ]);
    await engine.close();
    silent.close();
  });

  test('an inspection that one call fails leaves no other to repeat itself over a closed connection', async () => {
    // gRPC by hand: an empty message or, without a body, a status. https://grpc.io/docs/guides/status-codes/
    const unavailable = 14;
    const notFound = 5;
    const answer = { ':status': 200, 'content-type': 'application/grpc' };
    let queues = 0;
    const server = createHttp2Server();
    server.on('stream', (stream, headers) => {
      if (headers[':path']?.endsWith('/DescribeTaskQueue') === true) {
        queues += 1;
        stream.respond(
          { ...answer, 'grpc-status': queues === 1 ? notFound : unavailable },
          { endStream: true },
        );
        return;
      }
      stream.respond(answer, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }));
      stream.end(Buffer.alloc(5));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(inspectTemporal(configOf(`127.0.0.1:${port}`))).rejects.toMatchObject({
      cause: { code: notFound },
    });
    const asked = queues;
    await sleep(1_000);
    expect(queues).toBe(asked);
    server.close();
  });
});
