/**
 * Process: bare Koa on the service's database. One route inserts a row, one inserts and awaits the start of a
 * workflow, one reads a workflow: nothing else, no identity, no checks.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import Koa from 'koa';
import pg from 'pg';

/** As large as the service's own pool. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const client = new Client({ connection });
const taskQueue = process.env['PEER_TASK_QUEUE'] ?? '';

await pool.query(
  'CREATE TABLE IF NOT EXISTS bench_inserts (id uuid PRIMARY KEY, body json NOT NULL, created_at timestamptz NOT NULL DEFAULT now())',
);

async function insert(request: Koa.Request): Promise<{ id: string; body: { url?: string } }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.req) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as { url?: string };
  const id = randomUUID();
  await pool.query('INSERT INTO bench_inserts (id, body) VALUES ($1, $2)', [id, JSON.stringify(body)]);
  return { id, body };
}

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.path === '/insert') {
    ctx.body = { run_id: (await insert(ctx.request)).id, status: 'running' };
  } else if (ctx.path === '/insert-and-start') {
    const { id, body } = await insert(ctx.request);
    const work: ['bare', []] | ['chain', [string, number]] =
      body.url === undefined ? ['bare', []] : ['chain', [body.url, 1]];
    await client.workflow.start(work[0], { args: work[1], taskQueue, workflowId: id });
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
