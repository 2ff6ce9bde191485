/** Running a draft as a person does, in the dialog of the canvas. */
import type { Page } from 'playwright-core';

/** Runs the draft of the open canvas. Until the dialog has gone the page shows the run before. */
export async function runDraft(page: Page, input: object): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Run workflow' });
  await dialog.waitFor();
  // A workflow with input parameters shows them as a form.
  const asJson = dialog.getByRole('button', { name: 'Edit as JSON' });
  if (await asJson.isVisible()) await asJson.click();
  await dialog.getByLabel('Input (JSON)').fill(JSON.stringify(input));
  await page.getByRole('button', { name: 'Run draft' }).click();
  await dialog.waitFor({ state: 'detached' });
}
