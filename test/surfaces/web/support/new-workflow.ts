/** What a person does at first: a workflow with the node `first`, open on its canvas. */
import type { Page } from 'playwright-core';

/** Creates a workflow at the list of workflows. */
export async function createWorkflow(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New workflow' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForSelector('[data-node="first"]');
}
