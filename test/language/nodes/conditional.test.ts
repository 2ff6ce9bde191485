/** A run would take another branch than its conditions say. */
import { expect, test } from 'vitest';
import { conditional } from '../../../src/language/nodes/conditional/conditional.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../src/language/graph/values/work-budget.ts';
import { spendingOf } from '../../support/spending.ts';
import { listProblems, runNode } from './support/node-call.ts';
import { turnsDuring } from './support/turns.ts';

const when = (id: string, left: string, op: string, right: unknown) => ({
  id,
  match: 'all',
  rules: [{ left, op, right }],
});
const config = {
  mode: 'rules',
  cases: [when('big', '{{n}}', 'gt', 10), when('some', '{{n}}', 'gt', 1)],
  default: 'else',
} as never;

test.each([
  [50, 'big', true],
  [5, 'some', true],
  [0, 'else', false],
])('of %d the first matching case is %s', async (n, selected, matched) => {
  expect(await runNode(conditional, config, { roots: { n } })).toEqual({
    outcome: 'completed',
    output: { selected, matched, reason: null },
    handle: selected,
  });
});
const manyCases = (count: number) =>
  ({
    cases: Array.from({ length: count }, (_, at) => when(`c${at}`, '{{text}}', 'matches', `^x{3}${at}`)),
  }) as never;
test('SEC-H01: all cases are decided within one budget, and a step less is too little', async () => {
  const roots = { text: 'y'.repeat(1_000) };
  const { enough, tooLittle } = await spendingOf((work) =>
    runNode(conditional, manyCases(100), { roots, work }),
  );
  expect(await enough()).toMatchObject({ handle: 'else' });
  await expect(tooLittle()).rejects.toThrow(WorkLimitExceeded);
});
test('SEC-H03: many cases let others have their turn', async () => {
  const work = new WorkBudget(NODE_WORK);
  const roots = { text: 'y'.repeat(20_000) };
  const turns = await turnsDuring(() => runNode(conditional, manyCases(100), { roots, work }));
  expect(work.spent).toBeGreaterThan(5_000_000);
  expect(turns).toBeGreaterThan(work.spent / 2_000_000);
});
test('its handles are the case ids and the default', () => {
  expect(kindRules.policy('conditional', config).handles).toEqual(['big', 'some', 'else']);
});
test.each(['exec', 'constructor', '__proto__'])('the operator %s is refused (SEC-E04)', (op) => {
  expect(listProblems(conditional, { cases: [when('a', '{{n}}', op, 1)] } as never)).toEqual([
    'invalid_rule cases.0.rules.0.op',
  ]);
});
test.each(['(?=a)b', '(a)\\1', '((a{1,100}){1,100}){1,100}', 'a'.repeat(2_000)])(
  'the pattern %.20s is refused',
  (pattern) => {
    expect(listProblems(conditional, { cases: [when('a', '{{n}}', 'matches', pattern)] } as never)).toEqual([
      'invalid_pattern cases.0.rules.0.right',
    ]);
  },
);
test('ids that mean something else, and ids twice, are refused', () => {
  expect(
    listProblems(conditional, {
      cases: [when('error', 'x', 'eq', 1), when('a', 'x', 'eq', 1), when('a', 'x', 'eq', 1)],
    } as never),
  ).toEqual(['reserved_handle cases.0.id', 'duplicate_case cases.2.id']);
});

const byModel = {
  mode: 'llm',
  provider: 'openai',
  model: 'm',
  input: '{{text}}',
  cases: [{ id: 'Billing', description: 'money' }],
  default: 'else',
};
const usage = { input_tokens: 5, output_tokens: 1, total_tokens: 6 };
test.each([
  ['the word', ' "billing". ', 'Billing', true],
  ['the word behind its thinking', '<think>Money, so Billing or else?</think>\n\nBilling', 'Billing', true],
  ['a sentence', 'I think it is about money', 'else', false],
  ['the word in quotes of other kinds', `\n\u00a0'\`Billing\`'`, 'Billing', true],
  ['the word, a megabyte of blanks and a mark', `Billing${' '.repeat(500_000)}!`, 'else', false],
  [
    'the word in a megabyte of quotes',
    `${' "'.repeat(250_000)}Billing${'. '.repeat(250_000)}`,
    'Billing',
    true,
  ],
])('a model that says %s has chosen', async (_, content, selected, matched) => {
  const asked: string[] = [];
  const result = await runNode(conditional, byModel, {
    roots: { text: 'my invoice' },
    model: ({ messages }) => {
      asked.push(...messages.map((message) => `${message.role}: ${message.content}`));
      return Promise.resolve({ content, reasoning: null, model: 'm', finishReason: 'stop', usage });
    },
  });
  expect(result).toMatchObject({ output: { selected, matched }, handle: selected, usage });
  expect(asked[0]).toContain('Billing: money');
  expect(asked[1]).toBe('user: my invoice');
});
test('a model that refuses to choose leaves the default, with a warning', async () => {
  const reply = { content: 'I cannot', reasoning: null, model: 'm', finishReason: 'refusal', usage };
  const result = await runNode(conditional, byModel, {
    roots: { text: 'x' },
    model: () => Promise.resolve(reply),
  });
  expect(result).toMatchObject({ handle: 'else', warnings: [{ code: 'model_refused' }] });
});

test('a model whose word was cut off leaves the default, with a warning: it may be the beginning of another', async () => {
  const reply = { content: 'billing', reasoning: null, model: 'm', finishReason: 'length', usage };
  const result = await runNode(conditional, byModel, {
    roots: { text: 'x' },
    model: () => Promise.resolve(reply),
  });
  expect(result).toMatchObject({ handle: 'else', warnings: [{ code: 'answer_truncated' }] });
});
