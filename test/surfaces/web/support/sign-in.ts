/** Signing in as a person does, at the local sign-in page. */
import type { Page } from 'playwright-core';
import type { WebStack } from './web-stack.ts';

interface Person {
  /** Without it, the person whom the sign-in page offers. */
  readonly email?: string;
  readonly window?: { readonly width: number; readonly height: number };
}

/** Opens the application in a window of its own, and signs in. @returns the page with the list of workflows */
export async function signInTo(stack: WebStack, { email, window }: Person = {}): Promise<Page> {
  const page = await stack.open('/app/');
  if (window !== undefined) await page.setViewportSize(window);
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (email === undefined) await page.getByRole('button', { name: /Continue as/ }).click();
  else {
    await page.getByLabel('or as somebody else').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
  }
  // The page before has a heading of the same name as the list.
  await page.getByRole('button', { name: 'New workflow' }).waitFor();
  return page;
}
