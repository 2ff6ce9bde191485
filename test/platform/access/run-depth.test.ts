/** Runs that start each other over the API would go on without end, or a client could forge their depth. */
import { expect, test } from 'vitest';
import { readRunDepth, RUN_DEPTH_HEADER, signRunDepth } from '../../../src/platform/access/run-depth.ts';
import { httpTool } from '../../../src/language/nodes/tool/http.ts';

const SECRET = 'a secret of the service, which no tenant has';
const nowMs = 1_800_000_000_000;
const signed = (depth: number): string => signRunDepth(SECRET, { depth, nowMs });

test('RUN-4.10: the depth of a run comes back from its header until that is five minutes old, and not a millisecond longer', () => {
  for (const depth of [0, 5, 10]) expect(readRunDepth(SECRET, signed(depth), nowMs)).toBe(depth);
  expect(readRunDepth(SECRET, signed(3), nowMs + 5 * 60_000 - 1)).toBe(3);
  expect(readRunDepth(SECRET, signed(3), nowMs + 5 * 60_000)).toBeNull();
});

test('RUN-4.10: a header that is forged, changed or of another service counts as none', () => {
  const [depth, endsAt, mac] = signed(3).split('.');
  const foreign = signRunDepth(`${SECRET}!`, { depth: 3, nowMs });
  const unsigned = ['', '3', 'x', `${depth}.${endsAt}`, `${depth}.${endsAt}.`, `-1.${endsAt}.${mac}`];
  const changed = [`4.${endsAt}.${mac}`, `${depth}.${Number(endsAt) + 1}.${mac}`, `${signed(3)}A`];
  for (const header of [...unsigned, ...changed, foreign, `${signed(3)}, ${signed(4)}`])
    expect.soft(readRunDepth(SECRET, header, nowMs), header).toBeNull();
});

test('RUN-4.10: the header says nothing of an organization or a run', () => {
  expect(signed(3)).toMatch(/^3\.1800000300000\.[\w-]{43}$/);
});

test('RUN-4.10: no node may set the header itself, however it is spelled', () => {
  const node = { kind: 'http', url: 'https://api.example.com/' };
  for (const name of [RUN_DEPTH_HEADER, 'X-Run-Depth', 'X-RUN-DEPTH']) {
    const issues = httpTool.safeParse({ ...node, headers: { [name]: '0' } }).error?.issues ?? [];
    expect(issues.map(({ message }) => message)).toEqual(['is set by the service']);
  }
});
