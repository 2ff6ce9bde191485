/**
 * Process: bare Koa on the service's database. One route inserts a row, three insert and await the start of a workflow
 * (one that does nothing, the service's own interpreter, and one that runs the node of a deployed workflow by hand), one
 * reads a workflow: nothing else, no identity, no checks.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import Koa from 'koa';
import pg from 'pg';
import { temporalWorkflowId, WORKFLOW_TYPE, type InterpretInput } from '../../../temporal/contract.ts';
import { insertRun, insertWholeRun } from './insert-run.ts';

/** As large as the service's own pool. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const client = new Client({ connection });
const taskQueue = process.env['TEMPORAL_TASK_QUEUE'] ?? '';
const serviceQueue = process.env['BENCH_SERVICE_QUEUE'] ?? '';

await pool.query(
  'CREATE TABLE IF NOT EXISTS bench_inserts (id uuid PRIMARY KEY, body json NOT NULL, created_at timestamptz NOT NULL DEFAULT now())',
);

interface Asked {
  readonly workflow_id: string;
  readonly input: object;
}

async function read(request: Koa.Request): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked;
}

async function insert(request: Koa.Request): Promise<string> {
  const id = randomUUID();
  await pool.query('INSERT INTO bench_inserts (id, body) VALUES ($1, $2)', [
    id,
    JSON.stringify(await read(request)),
  ]);
  return id;
}

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.path === '/insert') {
    ctx.body = { run_id: await insert(ctx.request), status: 'running' };
  } else if (ctx.path === '/insert-and-start') {
    const id = await insert(ctx.request);
    await client.workflow.start('bare', { taskQueue, workflowId: id });
    ctx.body = { run_id: id, status: 'running' };
  } else if (ctx.path === '/insert-and-start-run') {
    const { workflow_id: workflowId, input } = await read(ctx.request);
    const run = await insertWholeRun(pool, workflowId, input);
    const given: InterpretInput = { ...run, interpreterVersion: 1, searchable: false };
    await client.workflow.start(WORKFLOW_TYPE, {
      args: [given],
      taskQueue: serviceQueue,
      workflowId: temporalWorkflowId(run.organizationId, run.rootRunPk),
    });
    ctx.body = { run_id: run.rootRunPk, status: 'running' };
  } else if (ctx.path === '/insert-and-start-chain') {
    const { workflow_id: workflowId, input } = await read(ctx.request);
    const run = await insertRun(pool, workflowId, input);
    await client.workflow.start('chain', { args: [run, 1], taskQueue, workflowId: run.rootRunPk });
    ctx.body = { run_id: run.rootRunPk, status: 'running' };
  } else if (ctx.path.startsWith('/workflows/')) {
    const { rows } = await pool.query('SELECT * FROM workflows WHERE id = $1', [ctx.path.slice(11)]);
    ctx.body = rows[0] as object;
  } else ctx.body = 'ready';
});
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
