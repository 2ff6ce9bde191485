/** A run of 10,000 steps in a browser: if this fails, opening or watching one takes megabytes each time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Request } from 'playwright-core';
import { MAX_WHOLE_STEPS } from '../../src/web/runs/listed-step.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
}, 180_000);
afterAll(() => at.close());

const EMAIL = 'many-steps@example.com';
const ITEMS = 10_000;

/** Inserts a run with a node that was mapped over so many items. */
async function insertRun(name: string, items: number): Promise<void> {
  const { db } = at.canvas.api.deps;
  await db.query(
    `WITH made AS (SELECT gen_random_uuid() AS id), run AS (
       INSERT INTO runs (id, root_run_pk, organization_id, created_by, definition_hash, workflow_name, workflow_version,
         workflow_source, trigger_type, is_ad_hoc, status, started_at, completed_at)
       SELECT made.id, made.id, m.organization_id, u.id, repeat('0', 64), $1, '1.0.0', 'database', 'api', false, 'completed',
         now(), now() + interval '90 seconds'
       FROM made, users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $2 RETURNING id
     ), mapped AS (
       INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status,
         effect, started_at, completed_at)
       SELECT gen_random_uuid(), id, id, 'each', 'transformer', 'Each order', 1, 1, 1, 'succeeded', 'pure', now(),
         now() + interval '80 seconds' FROM run RETURNING step_id, run_pk
     )
     INSERT INTO run_steps (step_id, run_pk, root_run_pk, parent_step_id, item_index, node_id, node_type, node_name, visit,
       depth, position, status, effect, input, output, started_at, completed_at)
     SELECT gen_random_uuid(), run_pk, run_pk, step_id, item, 'each', 'transformer', 'Each order', 1, 1, 1, 'succeeded',
       'pure', to_json(item), to_json('order ' || item), now(), now() + interval '1 second'
     FROM mapped, generate_series(0, $3::integer - 1) AS item`,
    [name, EMAIL, items],
  );
}

test('a run of 10,000 steps is read in less than a megabyte, and the values of a step when it is opened', async () => {
  const page = await signInTo(at, { email: EMAIL });
  await insertRun('Orders', ITEMS);
  const read: Request[] = [];
  page.on('requestfinished', (request) => void read.push(request));
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('link', { name: 'Orders' }).click();
  const tree = page.getByRole('tree', { name: 'Steps' });
  const map = tree.getByRole('treeitem', { name: /^Each order/ });
  await map.click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await tree.getByRole('treeitem', { name: `Each order · item ${ITEMS - 1}` }).waitFor();
  await page.getByText('order 9999').waitFor();
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(100);
  await page.getByLabel('Search steps').fill(`item ${ITEMS - 1}`);
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(2);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: /^Each order: / }).waitFor();

  const records = read.filter((request) => /\/workflow-runs\/[0-9a-f-]{36}\?/.test(request.url()));
  expect(records).toHaveLength(1);
  const [record] = records;
  expect((await record?.sizes())?.responseBodySize).toBeLessThan(1_000_000);
  // The steps on the way from the map to its last item were not read.
  expect(read.filter((request) => request.url().includes('/steps/')).length).toBeLessThanOrEqual(3);
  expect(at.trouble).toEqual([]);
  await page.context().close();
}, 90_000);

test('a run of few steps comes with their values', async () => {
  const page = await signInTo(at, { email: EMAIL });
  await insertRun('Few orders', MAX_WHOLE_STEPS - 1);
  const read: string[] = [];
  page.on('request', (request) => void read.push(request.url()));
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('link', { name: 'Few orders' }).click();
  const tree = page.getByRole('tree', { name: 'Steps' });
  await tree.getByRole('treeitem', { name: /^Each order/ }).click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await page.getByText(`order ${MAX_WHOLE_STEPS - 2}`).waitFor();
  expect(read.filter((url) => url.includes('/steps/'))).toEqual([]);
  await page.context().close();
}, 60_000);
