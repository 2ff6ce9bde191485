/** A person at the page, who may call the API, too. */
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { signInTo } from './sign-in.ts';
import type { WebStack } from './web-stack.ts';

interface Visit {
  readonly page: Page;
  readonly organizationId: string;
  /** Opens a page of the organization. */
  readonly open: (path: string) => Promise<unknown>;
  /** Calls the API as the person of the page does. */
  readonly call: (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: JsonObject,
  ) => Promise<Record<string, string>>;
}

/** Signs a person in. */
export async function visitAs(at: WebStack, email: string): Promise<Visit> {
  const page = await signInTo(at, { email });
  const asked = page.waitForRequest((request) => request.headers()['x-organization-id'] !== undefined);
  await page.reload();
  const { authorization = '', 'x-organization-id': organization = '' } = (await asked).headers();
  return {
    page,
    organizationId: organization,
    open: (path) => page.goto(`${at.origin}/app/o/${organization}${path}`),
    async call(method, path, body) {
      const headers = {
        'Content-Type': 'application/json',
        Authorization: authorization,
        'X-Organization-ID': organization,
      };
      const sent = { method, headers, body: JSON.stringify(body) };
      const answer = await fetch(at.origin + path, sent);
      const text = await answer.text();
      expect([answer.ok, text]).toEqual([true, text]);
      return JSON.parse(text) as Record<string, string>;
    },
  };
}
