/** A crafted link could lead a person from the sign-in to a page of somebody else (SPEC SEC-W02). */
import { expect, test } from 'vitest';
import { safeReturn } from '../../../../src/surfaces/web/session/return-address.ts';

const ORIGIN = 'https://flows.example';

test.each(['/app/', '/app/runs', '/app/workflows/1?node=a'])('%s is kept', (path) => {
  expect(safeReturn(path, ORIGIN)).toBe(path);
});

test.each([
  'https://evil.example/app/',
  '//evil.example/app/',
  '/\\evil.example',
  'javascript:alert(1)',
  '/workflows',
  '/application',
  '/app/callback?code=x',
  '',
])('%j is not followed', (path) => {
  expect(safeReturn(path, ORIGIN)).toBe('/app/');
});
