/** The clients that the scripted scenarios drive: TypeScript in this process, Python in processes of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  WorkflowApiError,
  WorkflowClient,
  type ClientOptions,
} from '../../../../src/surfaces/client/client.ts';
import { pause } from '../../../../src/surfaces/client/retry.ts';
import { ROOT } from '../../../docs/readmes.ts';
import { findPython, makePythonPackage } from '../../../support/python.ts';

export interface Command {
  readonly operation: string;
  readonly baseUrl: string;
  readonly client?: Readonly<Record<string, number>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Takes the token from a function that returns `token-1`, `token-2` and so on. */
  readonly renews?: boolean;
  /** Takes the token from a function that fails as a network does, with the words `the provider is away`. */
  readonly losesToken?: boolean;
  /** Times that the client's seconds are shorter than real ones. */
  readonly speed?: number;
}

export interface Outcome {
  readonly value?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
  /** The words of an error that is none of the API. */
  readonly failure?: string;
  /** The path and the number of each retry. */
  readonly retries: readonly unknown[];
  /** The status of each failure of a stream. */
  readonly reconnects: readonly number[];
  readonly renewed: readonly string[];
}

export interface Driver {
  run(command: Command): Promise<Outcome>;
  close(): void;
}

type Options = Readonly<Record<string, unknown>>;
type Note = (failure: WorkflowApiError) => void;

async function collect<Item>(items: AsyncIterable<Item>, enough = Infinity): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) if (read.push(item) >= enough) break;
  return read;
}

const OPERATIONS: Readonly<
  Record<string, (client: WorkflowClient, options: Options, note: Note) => Promise<unknown>>
> = {
  get: (client, { id }) => client.workflows.get((id as string | undefined) ?? 'w'),
  start: (client, options) => client.runs.start({ workflow_id: 'w' }, options),
  startBatch: (client, options) => client.runs.startBatch({ workflow_id: 'w', inputs: [{}, {}] }, options),
  startUnkeyed: (client) => client.request('POST', '/workflows/run', { body: { workflow_id: 'w' } }),
  async startMany({ runs }, { count }) {
    const starts = Array.from({ length: count as number }, () => runs.start({ workflow_id: 'w' }));
    return (await Promise.all(starts)).length;
  },
  create: (client) => client.workflows.create({ name: 'w', workflow_schema: { nodes: [], edges: [] } }),
  cancel: (client) => client.runs.cancel('r'),
  answer: (client) => client.runs.byRunId('r').answer('q', { action: 'approve' }),
  result: (client) => client.runs.byRunId('r').result(),
  handle: (client, { id }) => client.runs.handle(id as string),
  async follow(client, { afterSeq }, onReconnect) {
    const run = client.runs.byRunId('r');
    const events = await collect(run.events({ afterSeq: afterSeq as number | undefined, onReconnect }));
    return { events, end: await run.result() };
  },
  async leave(client) {
    for await (const event of client.runs.byRunId('r').events()) if (event.type === 'progress') break;
  },
  async crowd({ runs }, { count }) {
    const starts = Array.from({ length: count as number }, () => runs.start({ workflow_id: 'w' }));
    const seqs: Record<string, number[]> = {};
    for await (const { run, event } of runs.follow(await Promise.all(starts)))
      if ('seq' in event) (seqs[run.runId] ??= []).push(event.seq);
    return seqs;
  },
  async followSome({ runs }, options) {
    return (await collect(runs.follow(options['runs'] as string[]), options['enough'] as number)).length;
  },
  async lists({ knowledgeBases, runs, workflows }) {
    const items = [
      await collect(knowledgeBases.list()),
      await collect(runs.list({ limit: 2 })),
      await collect(workflows.list({ page_size: 2 })),
    ];
    return { items, has_more: (await runs.list({ limit: 2 }).page()).has_more };
  },
  upload: (client) =>
    client.knowledgeBases.upload('k', {
      file: new File(['x'.repeat(200_000)], 'notes.txt'),
      metadata: { lang: 'en' },
    }),
  getMany: (client, { count }) =>
    Promise.all(Array.from({ length: count as number }, () => client.workflows.get('w'))),
};

const createClock = (speed: number): ClientOptions['clock'] => ({
  now: () => performance.now() * speed,
  pause: (ms, signal) => pause(ms / speed, signal),
});

function chooseToken({ renews, losesToken }: Command, renewed: string[]): ClientOptions['token'] {
  if (losesToken === true) return () => Promise.reject(new TypeError('the provider is away'));
  return renews === true ? async () => `token-${renewed.push(`token-${renewed.length + 1}`)}` : 'k';
}

async function runHere(command: Command): Promise<Outcome> {
  const retries: unknown[] = [];
  const reconnects: number[] = [];
  const renewed: string[] = [];
  const options: ClientOptions = {
    baseUrl: command.baseUrl,
    organizationId: 'org',
    token: chooseToken(command, renewed),
    clock: createClock(command.speed ?? 1),
    onRetry: ({ path, attempt }) => retries.push([path, attempt]),
    ...command.client,
  };
  const told = { retries, reconnects, renewed };
  try {
    const client = new WorkflowClient(options);
    const note: Note = ({ status }) => void reconnects.push(status);
    const value = await OPERATIONS[command.operation]?.(client, command.options ?? {}, note);
    return { ...told, value };
  } catch (error) {
    if (!(error instanceof WorkflowApiError)) return { ...told, failure: String(error) };
    const { status, code, detail, problems, requestId, retryAfterMs, body } = error;
    return { ...told, error: { status, code, detail, problems, requestId, retryAfterMs, body } };
  }
}

/** Starts the Python client in a process of its own, which runs one command after the other. */
async function startPython(kind: 'blocking' | 'asyncio'): Promise<Driver | null> {
  const python = await findPython();
  if (python === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'python-driver-'));
  const PYTHONPATH = await makePythonPackage(folder);
  const script = join(ROOT, 'test', 'surfaces', 'client', 'support', 'driver.py');
  const env = { ...process.env, PYTHONPATH };
  const child = spawn(python, ['-B', script, kind], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async run({ client = {}, options = {}, renews = false, losesToken = false, speed = 1, ...command }) {
      child.stdin.write(`${JSON.stringify({ client, options, renews, losesToken, speed, ...command })}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error('the driver has ended, its reason is above');
      return JSON.parse(value) as Outcome;
    },
    close() {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each client by its name; it starts when its scenarios run. */
export const DRIVERS: readonly (readonly [name: string, start: () => Promise<Driver | null>])[] = [
  ['TypeScript', async () => ({ run: runHere, close: () => undefined })],
  ['Python', () => startPython('blocking')],
  ['Python with asyncio', () => startPython('asyncio')],
];
