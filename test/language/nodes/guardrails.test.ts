/** A guardrail would let pass what it must stop, or stop what is allowed (SPEC SEC-R). */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { guardrails } from '../../../src/language/nodes/guardrails/guardrails.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { UNLIMITED, spendingOf } from '../../support/spending.ts';
import { listProblems, runNode } from './support/node-call.ts';
import { turnsDuring } from './support/turns.ts';

const checked = async (text: string, check: JsonObject) => {
  const result = await runNode(guardrails, { input: '{{text}}', checks: [check] }, { roots: { text } });
  if (result.outcome !== 'completed') throw new Error(result.outcome);
  return {
    ...(result.output as { passed: boolean; text: string; violations: JsonObject[] }),
    handle: result.handle,
  };
};
const masked = async (text: string) => (await checked(text, { type: 'pii', action: 'mask' })).text;

test.each([
  ['Write to ada@example.com today', 'Write to [EMAIL] today'],
  ['call +49 30 901820 or (555) 123-4567.', 'call [PHONE] or [PHONE].'],
  ['+1 (555) 123-4567, 0049 30 901820', '[PHONE], [PHONE]'],
  ['+1 5 5 5 1 2 3 4 5 6 7', '[PHONE]'],
  ['+49 30 1234567, 2024-01-02', '[PHONE], 2024-01-02'],
  ['no +12345678901234567890, no +123 45', 'no +12345678901234567890, no +123 45'],
  ['card 4111 1111 1111 1111 ok', 'card [CREDIT_CARD] ok'],
  ['card 4111 1111 1111 1112 ok', 'card 4111 1111 1111 1112 ok'],
  ['ssn 536-22-1234', 'ssn [SSN]'],
  ['pay DE89 3704 0044 0532 0130 00 now', 'pay [IBAN] now'],
  ['pay GB82 WEST 1234 5698 7654 33 now', 'pay GB82 WEST 1234 5698 7654 33 now'],
  ['from 192.168.1.20 and 2001:db8::1', 'from [IP_ADDRESS] and [IP_ADDRESS]'],
  ['order 20240102 of 2024-01-02 10:30, v1.2.3', 'order 20240102 of 2024-01-02 10:30, v1.2.3'],
])('personal data in %j', async (text, expected) => {
  expect(await masked(text)).toBe(expected);
});
test('masking passes, and the violation does not quote what it masked', async () => {
  const result = await checked('a@b.co', { type: 'pii', entities: ['EMAIL'], action: 'mask' });
  expect(result).toEqual({
    passed: true,
    text: '[EMAIL]',
    handle: 'pass',
    violations: [{ check: 'pii', action: 'mask', score: 1, matches: ['EMAIL'] }],
  });
});
test('blocking takes the handle fail', async () => {
  const result = await checked('This is INTERNAL ONLY.', {
    type: 'regex',
    pattern: '(?i)internal only',
    expect: 'no_match',
  });
  expect(result).toMatchObject({
    passed: false,
    handle: 'fail',
    violations: [{ check: 'regex', action: 'block', matches: ['INTERNAL ONLY'] }],
  });
});
test('flagging passes', async () => {
  expect(
    await checked('secret plan', { type: 'keywords', keywords: ['Secret'], action: 'flag' }),
  ).toMatchObject({ passed: true, handle: 'pass', violations: [{ action: 'flag', matches: ['secret'] }] });
});
test.each<[string, JsonObject, boolean]>([
  ['a class of its own', { type: 'keywords', keywords: ['ass'] }, true],
  ['abc', { type: 'regex', pattern: '^\\d+$', expect: 'match' }, false],
  ['123', { type: 'regex', pattern: '^\\d+$', expect: 'match' }, true],
  ['key AKIAABCDEFGHIJKLMNOP', { type: 'secret_keys' }, false],
  ['see https://docs.example.com/a.', { type: 'urls', allowed_hosts: ['example.com'] }, true],
  ['see https://example.com.evil.net/', { type: 'urls', allowed_hosts: ['example.com'] }, false],
  ['see https://example.com@evil.net/', { type: 'urls', allowed_hosts: ['example.com', 'evil.net'] }, false],
  ['{"a":1}', { type: 'json_schema', schema: { type: 'object', required: ['a'] } }, true],
  ['{"b":1}', { type: 'json_schema', schema: { type: 'object', required: ['a'] } }, false],
  ['nope', { type: 'json_schema', schema: {} }, false],
  ['12345', { type: 'max_length', max: 5 }, true],
  ['123456', { type: 'max_length', max: 5 }, false],
])('%j against %j', async (text, check, passed) => {
  expect((await checked(text, check)).passed).toBe(passed);
});
test.each(['inter\u200bnal only', 'ｉｎｔｅｒｎａｌ only', 'in\u00adternal\u2060 only'])(
  'evasion by %j is seen through (SEC-R05)',
  async (text) => {
    expect((await checked(text, { type: 'regex', pattern: '(?i)internal only' })).passed).toBe(false);
    expect((await checked(text, { type: 'keywords', keywords: ['internal only'] })).passed).toBe(false);
  },
);
test('a text without findings stays as it is, unnormalized', async () => {
  expect((await checked('ｆｕｌｌ width', { type: 'pii', action: 'mask' })).text).toBe('ｆｕｌｌ width');
});
test('a hostile pattern over a long text ends (SEC-R01)', async () => {
  expect((await checked(`${'a'.repeat(50_000)}!`, { type: 'regex', pattern: '^(a+)+$' })).passed).toBe(true);
});
test('a text over 256 kB is not checked: the node fails', async () => {
  await expect(checked('x'.repeat(300_000), { type: 'pii' })).rejects.toMatchObject({
    code: 'input_too_large',
  });
});
test('a costly pattern over a long text is not tried: the node fails', async () => {
  await expect(checked('x'.repeat(200_000), { type: 'regex', pattern: '(x|y){500}z' })).rejects.toMatchObject(
    { name: 'WorkLimitExceeded' },
  );
});
const TEXT = 'ada@example.com or AKIAABCDEFGHIJKLMNOP, see https://evil.example and the word secret. '.repeat(
  20,
);
const ALL: JsonObject[] = [
  { type: 'pii', action: 'mask' },
  { type: 'secret_keys', action: 'mask' },
  { type: 'keywords', keywords: ['secret', 'nothing'], action: 'mask' },
  { type: 'urls', action: 'mask' },
  { type: 'regex', pattern: 'w[a-z]+d', action: 'mask' },
  { type: 'json_schema', schema: { type: 'object' }, action: 'flag' },
];
const checking = (checks: readonly JsonObject[], text: string) => (work: WorkBudget) =>
  runNode(guardrails, { input: '{{text}}', checks: [...checks] }, { roots: { text }, work });

test.each([...ALL.map((check) => [check]), ALL])(
  'SEC-H01: %j is checked within its steps, and the node fails with one less',
  async (...checks) => {
    const { steps, enough, tooLittle } = await spendingOf(checking(checks, TEXT));
    expect(steps).toBeGreaterThan(TEXT.length);
    expect(await enough()).toEqual(await checking(checks, TEXT)(new WorkBudget(UNLIMITED)));
    await expect(tooLittle()).rejects.toThrow(WorkLimitExceeded);
  },
);
test('SEC-H01: keywords cost their lengths and what they find, each of them', async () => {
  const costOf = async (keywords: readonly string[], text: string): Promise<number> =>
    (await spendingOf(checking([{ type: 'keywords', keywords: [...keywords], action: 'mask' }], text))).steps;
  const text = 'x '.repeat(10_000);
  const words = Array.from({ length: 200 }, (_, at) => `keyword${at + 100}`);
  const few = await costOf(words.slice(0, 100), text);
  const base = await costOf(['k'], text);
  expect(((await costOf(words, text)) - base) / (few - base)).toBeCloseTo(2, 1);
  expect(await costOf(['x'], text)).toBeGreaterThan((await costOf(['k'], text)) + 10 * 10_000);
});
test('SEC-H03: many checks of a long text let others have their turn', async () => {
  const work = new WorkBudget(NODE_WORK);
  const checks = Array.from({ length: 20 }, () => ({ type: 'secret_keys', action: 'flag' }));
  const turns = await turnsDuring(() => checking(checks, 'x'.repeat(50_000))(work));
  expect(work.spent).toBeGreaterThan(8_000_000);
  expect(turns).toBeGreaterThan(work.spent / 2_000_000);
});
test.each([
  '(?=a)b',
  '(a)\\1',
  '((a{1,100}){1,100}){1,100}',
  'a{1000}{1000}',
  'a{1000}'.repeat(100),
  '('.repeat(5_000) + ')'.repeat(5_000),
  'x'.repeat(200_000),
])('the pattern %.30s is refused (SEC-R02, SEC-R03)', (pattern) => {
  expect(listProblems(guardrails, { input: 'x', checks: [{ type: 'regex', pattern }] })).toEqual([
    'invalid_pattern checks.0.pattern',
  ]);
});
test.each([
  'a'.repeat(250_000),
  '1 '.repeat(125_000),
  'a@'.repeat(125_000),
  '+1'.repeat(125_000),
  `+1${'2'.repeat(37)}x `.repeat(6_000),
  '0:'.repeat(125_000),
  'AA11'.repeat(60_000),
  '-----BEGIN PRIVATE KEY-----'.repeat(9_000),
  'eyJaaaaaaaa.'.repeat(20_000),
])('every local check of 250 kB of %.12s… ends', async (text) => {
  const checks: JsonObject[] = [
    { type: 'pii', action: 'flag' },
    { type: 'secret_keys', action: 'flag' },
    { type: 'urls', action: 'flag' },
  ];
  const result = await runNode(guardrails, { input: '{{text}}', checks }, { roots: { text } });
  expect(result.outcome).toBe('completed');
});
