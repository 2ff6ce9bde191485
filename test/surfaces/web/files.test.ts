/** Somebody could not see, take or delete what a run has kept, or a file would run in the page. In a real browser. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toReference, type FileRow } from '../../../src/platform/files/rows.ts';
import { chain, transform } from '../../support/definitions.ts';
import { inBothThemes } from './support/axe.ts';
import { listUnreachable } from './support/phone.ts';
import { visitAs } from './support/visit.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let at: WebStack;
beforeAll(async () => {
  at = await startWebStack();
});
afterAll(() => at.close());

const SHOTS = process.env['FILE_SHOTS'];
/** A red dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
);
const EVIL = '<script>document.title = "taken"</script><p>A page</p>';

test('files are uploaded, previewed, downloaded and deleted, in the list and where a run refers to them', async () => {
  const { page, open, call } = await visitAs(at, 'owner-of-files@example.com');
  await open('/');
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByText('No files yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.locator('input[type=file]').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(EVIL) },
    { name: 'archive.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') },
  ]);
  const dot = page.getByRole('row', { name: /dot\.png/ });
  await dot.getByText('image/png, 85 bytes').waitFor();
  const archive = page.getByRole('row', { name: /archive\.zip/ });
  await archive.waitFor();
  await expect.poll(() => archive.getByRole('button', { name: /^Preview/ }).count()).toBe(0);
  await dot.getByRole('button', { name: 'Preview: dot.png' }).click();
  const width = `document.querySelector('img[alt="dot.png"]')?.naturalWidth`;
  await expect.poll(() => page.evaluate(width)).toBe(5);
  // A page is shown as its text, and runs nothing.
  await page.getByRole('button', { name: 'Preview: page.html' }).press('Enter');
  await page.getByText('<p>A page</p>').waitFor();
  expect(await page.title()).not.toBe('taken');
  expect(await inBothThemes(page)).toEqual([]);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/files.png` });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download: page.html' }).click();
  const file = await downloading;
  expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual(['page.html', EVIL]);

  // A run that was started with it shows it in its input.
  const [stored] = await at.canvas.api.deps.db.query<FileRow>(`SELECT * FROM files WHERE name = 'dot.png'`);
  if (stored === undefined) throw new Error('it was uploaded');
  const run = await call('POST', '/workflows/run', {
    workflow: chain(transform('t')),
    input: { photo: { ...toReference(stored) } },
  });
  const [place] = await at.canvas.api.deps.db.query<{ root_run_pk: string }>(
    'SELECT root_run_pk FROM runs WHERE run_id = $1',
    [run['run_id']],
  );
  await open(`/runs/${place?.root_run_pk ?? ''}`);
  const input = page.getByRole('region', { name: 'Run input' });
  await input.getByRole('button', { name: 'Preview: dot.png' }).click();
  await input.getByRole('img').waitFor();
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/run.png` });
  expect(await inBothThemes(page)).toEqual([]);

  await open('/files');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await expect.poll(() => listUnreachable(page)).toEqual([]);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/phone.png` });
  await page.getByRole('button', { name: 'Delete: archive.zip' }).click();
  await page.getByText('Delete “archive.zip”?').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => archive.count()).toBe(0);
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
