/**
 * Process: bare Koa on the service's database. One route inserts a row, two insert and await the start of a workflow (one
 * that does nothing, one that makes a call), one reads a workflow: nothing else, no identity, no checks.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import Koa from 'koa';
import pg from 'pg';

/** As large as the service's own pool. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const client = new Client({ connection });
const taskQueue = process.env['TEMPORAL_TASK_QUEUE'] ?? '';

await pool.query(
  'CREATE TABLE IF NOT EXISTS bench_inserts (id uuid PRIMARY KEY, body json NOT NULL, created_at timestamptz NOT NULL DEFAULT now())',
);

interface Asked {
  readonly input: { readonly url?: string };
}

async function insert(request: Koa.Request): Promise<Asked & { readonly id: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.req) chunks.push(chunk as Buffer);
  const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
  const id = randomUUID();
  await pool.query('INSERT INTO bench_inserts (id, body) VALUES ($1, $2)', [id, JSON.stringify(asked)]);
  return { ...asked, id };
}

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.path === '/insert') {
    const { id } = await insert(ctx.request);
    ctx.body = { run_id: id, status: 'running' };
  } else if (ctx.path === '/insert-and-start') {
    const { id } = await insert(ctx.request);
    await client.workflow.start('bare', { taskQueue, workflowId: id });
    ctx.body = { run_id: id, status: 'running' };
  } else if (ctx.path === '/insert-and-start-call') {
    const { id, input } = await insert(ctx.request);
    await client.workflow.start('chain', { args: [input.url, 1], taskQueue, workflowId: id });
    ctx.body = { run_id: id, status: 'running' };
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
