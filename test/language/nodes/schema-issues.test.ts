/** Schemas of one request would stall the process while its data are checked. */
import { expect, test } from 'vitest';
import { REQUEST_WORK } from '../../../src/language/graph/values/work-budget.ts';
import { RequestChecks } from '../../../src/language/nodes/schema-issues.ts';

const PATTERN = '^(a|b){20}c';
const form = { properties: { text: { pattern: PATTERN } } };
/** Of one character less than this the check fits; the rest of the budget is compiling and looking at the schema. */
function longest(): number {
  let [low, high] = [1, REQUEST_WORK.total];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [issue] = new RequestChecks().findIssues(form, { text: 'x'.repeat(middle) });
    if (issue?.type === 'pattern') low = middle;
    else high = middle - 1;
  }
  return low;
}

test('SEC-H02: a text that is as long as the budget is checked, and one that is longer is an issue', () => {
  const length = longest();
  expect(length).toBeGreaterThan(100_000);
  expect(new RequestChecks().findIssues(form, { text: 'x'.repeat(length) })).toMatchObject([
    { type: 'pattern' },
  ]);
  expect(new RequestChecks().findIssues(form, { text: 'x'.repeat(length + 1) })).toEqual([
    { path: [], message: expect.stringContaining('more work') as unknown, type: 'work_limit_exceeded' },
  ]);
});

test('SEC-H02: several checks of a request have one budget together', () => {
  const half = { text: 'x'.repeat(longest() * 0.6) };
  const checks = new RequestChecks();
  expect(checks.findIssues(form, half)).toMatchObject([{ type: 'pattern' }]);
  expect(checks.findIssues(form, half)).toMatchObject([{ type: 'work_limit_exceeded' }]);
  expect(checks.findIssues(form, { text: 'aaaabbbbaaaabbbbaaaac' })).toEqual([]);
});

test('a pattern is compiled once for all items of an answer', () => {
  const items = { items: { pattern: `a{800}|x` } };
  expect(
    new RequestChecks().findIssues(
      items,
      Array.from({ length: 1_000 }, () => 'x'),
    ),
  ).toEqual([]);
});

test('a pattern that cannot be searched is an issue', () => {
  expect(new RequestChecks().findIssues({ pattern: '(' }, 'x')).toMatchObject([{ type: 'invalid_pattern' }]);
});
