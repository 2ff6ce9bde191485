/** A run of 10,000 steps in a browser: if this fails, opening or watching one takes megabytes each time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { MAX_WHOLE_STEPS } from '../../../src/surfaces/web/runs/listed-step.ts';
import { noteFigures } from '../../support/figures.ts';
import { insertMappedRun } from '../../support/mapped-run.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

const EMAIL = 'many-steps@example.com';
const ITEMS = 10_000;

/** Inserts a run of the person, with a node that was mapped over so many items. */
async function insertRun(name: string, items: number): Promise<void> {
  const { db } = at.canvas.api.deps;
  const [place] = await db.query<{ organization_id: string }>(
    'SELECT organization_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1',
    [EMAIL],
  );
  const organizationId = place?.organization_id ?? '';
  await insertMappedRun((sql, values) => db.query(sql, values), { organizationId, name, items });
}

/** Watches the main thread of a page. @returns what measures an act: by the clock, and the CPU time of the main thread */
async function watch(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  return async (act: () => Promise<void>) => {
    const [before, from] = [await spent(), performance.now()];
    await act();
    const wallMs = performance.now() - from;
    return { wallMs, cpuMs: (await spent()) - before };
  };
}

test('a run of 10,000 steps is read in less than a megabyte, and the values of a step when it is opened', async () => {
  const page = await signInTo(at, { email: EMAIL });
  await insertRun('Orders', ITEMS);
  const read: Request[] = [];
  page.on('requestfinished', (request) => void read.push(request));
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'Steps' });
  const map = tree.getByRole('treeitem', { name: /^Each order/ });
  const row = page.getByRole('link', { name: 'Orders' });
  await row.waitFor();
  const watched = await watch(page);
  const opened = await watched(async () => {
    await row.click();
    await map.waitFor();
  });
  await map.click();
  const unfolded = await watched(async () => {
    await page.keyboard.press('ArrowRight');
    await tree.getByRole('treeitem', { name: 'Each order · item 0' }).waitFor();
  });
  await page.keyboard.press('End');
  await tree.getByRole('treeitem', { name: `Each order · item ${ITEMS - 1}` }).waitFor();
  noteFigures(`the page of a run of ${ITEMS} steps`, {
    'ms to open': opened.wallMs,
    'of the main thread': opened.cpuMs,
    'ms to unfold': unfolded.wallMs,
    'of the main thread, too': unfolded.cpuMs,
  });
  await page.getByText('order 9999').waitFor();
  await expect.poll(() => tree.getByRole('treeitem').count()).toBeLessThan(100);
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
});

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
});
