/** A person would be asked the wrong question, or a wait would end at the wrong time. */
import { expect, test } from 'vitest';
import type { Json } from '../../../src/language/graph/values/value.ts';
import { interrupt } from '../../../src/language/nodes/interrupt/interrupt.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { functionNode } from '../../../src/language/nodes/function/function.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { listProblems, runNode } from './support/node-call.ts';

const approval = {
  kind: 'approval',
  title: 'Refund {{amount}}?',
  message: 'of {{who}}',
  payload: { draft: '{{draft}}' },
  actions: [{ id: 'approve', label: 'Approve' }, { id: 'reject' }],
};

test('an approval asks a rendered question', async () => {
  const roots = { amount: 5, who: 'Ada', draft: { text: 'x' } };
  expect(
    await runNode(interrupt, { ...approval, timeout_seconds: 60, on_timeout: 'branch' }, { roots }),
  ).toEqual({
    outcome: 'interrupted',
    question: {
      kind: 'approval',
      title: 'Refund 5?',
      message: 'of Ada',
      payload: { draft: { text: 'x' } },
      form: null,
      actions: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'reject' },
      ],
      assignees: { roles: [], user_ids: [] },
      timeoutSeconds: 60,
      onTimeout: 'branch',
      defaultResponse: null,
    },
  });
});
test('handles are the actions and the timeout', () => {
  expect(kindRules.policy('interrupt', approval).handles).toEqual(['approve', 'reject', 'timeout']);
  expect(kindRules.policy('interrupt', { kind: 'input' }).handles).toEqual(['timeout']);
});
test('a question may need several answers, and an action its own number', async () => {
  const actions = [{ id: 'approve' }, { id: 'reject', required_responses: 1 }];
  const result = await runNode(interrupt, { kind: 'approval', actions, required_responses: 2 });
  expect(result).toMatchObject({
    question: {
      requiredResponses: 2,
      actions: [
        { id: 'approve', label: 'approve' },
        { id: 'reject', label: 'reject', requiredResponses: 1 },
      ],
    },
  });
});
test('each channel gets a link of its own, also the second of a kind; one that is given twice gets one', async () => {
  const [finance, teams] = [crypto.randomUUID(), crypto.randomUUID()];
  const ops = { kind: 'slack', url: 'https://hooks.slack.example/{{channel}}' };
  const listChats = async (...notify: JsonObject[]) => {
    const result = await runNode(interrupt, { ...approval, notify }, { roots: { channel: 'ops' } });
    const recipients = result.outcome === 'interrupted' ? (result.recipients ?? []) : [];
    return recipients.map(({ address, channel, url, credentialId }) => [
      address,
      channel,
      url ?? credentialId,
    ]);
  };
  const byCredential = (kind: string, id: string) => ({ kind, credential_id: id });
  expect(await listChats(byCredential('slack', finance), byCredential('teams', teams), ops)).toEqual([
    ['slack', 'slack', finance],
    ['teams', 'teams', teams],
    ['slack-2', 'slack', 'https://hooks.slack.example/ops'],
  ]);
  expect(
    await listChats(ops, { ...ops, url: 'https://hooks.slack.example/ops' }, byCredential('slack', finance)),
  ).toEqual([
    ['slack', 'slack', 'https://hooks.slack.example/ops'],
    ['slack-2', 'slack', finance],
  ]);
});
test('a callback asks nobody, and its timeout is a week unless it says so', async () => {
  const late = { on_timeout: 'default', default_response: { action: 'approve', data: { n: '{{n}}' } } };
  const roots = { n: 5 };
  expect(await runNode(interrupt, { kind: 'callback', title: 'Order {{n}}', ...late }, { roots })).toEqual({
    outcome: 'interrupted',
    question: {
      kind: 'callback',
      title: 'Order 5',
      message: '',
      payload: null,
      form: null,
      actions: [],
      assignees: { roles: [], user_ids: [] },
      timeoutSeconds: 604_800,
      onTimeout: 'default',
      defaultResponse: { action: null, data: { n: 5 } },
    },
  });
  expect(kindRules.policy('interrupt', { kind: 'callback' }).handles).toEqual(['timeout']);
});
test.each([
  [{ ...approval, actions: [] }, 'invalid_config actions'],
  [{ ...approval, required_responses: 0 }, 'invalid_config required_responses'],
  [
    { ...approval, required_responses: 2, assignees: { user_ids: ['a', 'a'] } },
    'too_few_assignees required_responses',
  ],
  [{ ...approval, timeout_seconds: 0 }, 'invalid_config timeout_seconds'],
  [{ ...approval, on_timeout: 'default' }, 'missing_default_response default_response'],
  [{ ...approval, actions: [{ id: 'timeout' }] }, 'reserved_handle actions.0.id'],
  [
    { ...approval, on_timeout: 'default', default_response: { action: 'nope' } },
    'unknown_action default_response.action',
  ],
  [{ ...approval, notify: [{ kind: 'slack' }] }, 'invalid_config notify.0.credential_id'],
  [
    { ...approval, notify: [{ kind: 'slack', url: 'https://a.b/c', credential_id: crypto.randomUUID() }] },
    'invalid_config notify.0.credential_id',
  ],
  [{ kind: 'wait' }, 'invalid_config duration_seconds'],
  [{ kind: 'wait', duration_seconds: -1 }, 'invalid_config duration_seconds'],
  [{ kind: 'wait', duration_seconds: 1, until: '2030-01-01' }, 'invalid_config duration_seconds'],
])('%j is refused', (config, problem) => {
  expect(listProblems(interrupt, config as never)).toEqual([problem]);
});
test('a wait lasts for a duration, which may be a template', async () => {
  const before = Date.now();
  const result = await runNode(
    interrupt,
    { kind: 'wait', duration_seconds: '{{s}}' },
    { roots: { s: 3_600 } },
  );
  if (result.outcome !== 'waiting') throw new Error(result.outcome);
  expect(result.untilMs).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(result.untilMs).toBeLessThanOrEqual(Date.now() + 3_600_000);
  expect(result.output).toEqual({ until: new Date(result.untilMs).toISOString() });
});
const NO_MOMENTS = [
  'Order 5',
  '0',
  '1/2',
  '2030-02-30',
  '30 February 2030',
  'Feb 1, 2030',
  '1893456000',
  'soon',
  ' ',
];
test.each(NO_MOMENTS)('a wait until %j is refused with the definition, and fails in a run', async (at) => {
  expect(listProblems(interrupt, { kind: 'wait', until: at })).toEqual(['invalid_config until']);
  await expect(
    runNode(interrupt, { kind: 'wait', until: '{{at}}' }, { roots: { at } }),
  ).rejects.toMatchObject({
    code: 'invalid_wait',
    message: 'The wait has no end: until is no moment of ISO 8601',
  });
});
test('a wait of more than a year says so, and one without a number says that', async () => {
  const waitFor = (s: Json) =>
    runNode(interrupt, { kind: 'wait', duration_seconds: '{{s}}' }, { roots: { s } });
  await expect(waitFor(1e12)).rejects.toMatchObject({
    message: 'The wait must end within a year',
  });
  await expect(waitFor('soon')).rejects.toMatchObject({
    message: 'The wait has no end: duration_seconds is no number from 0',
  });
});
test.each([
  ['2020-02-01', '2020-02-01T00:00:00.000Z'],
  ['2020-02-01T12:30', '2020-02-01T12:30:00.000Z'],
  ['2020-02-01T12:30:15+05:30', '2020-02-01T07:00:15.000Z'],
  [' 20200201T123015Z ', '2020-02-01T12:30:15.000Z'],
])('a wait until %s is one until %s, wherever the worker stands', async (at, until) => {
  const result = await runNode(interrupt, { kind: 'wait', until: at });
  expect(result).toMatchObject({ outcome: 'waiting', output: { until } });
});
test.each(['0x10', '1e', 'Infinity', '5 s', '٥'])(
  'a duration of %j is refused with the definition',
  (seconds) => {
    expect(listProblems(interrupt, { kind: 'wait', duration_seconds: seconds })).toEqual([
      'invalid_config duration_seconds',
    ]);
  },
);
test('a wait until a past moment is over at once', async () => {
  const result = await runNode(
    interrupt,
    { kind: 'wait', until: '{{at}}' },
    { roots: { at: '2020-01-01T00:00:00Z' } },
  );
  expect(result).toMatchObject({ outcome: 'waiting', untilMs: Date.parse('2020-01-01T00:00:00Z') });
});
test.each([['soon'], [null], [-5], [1e12], [[5]], [[]], [true], [{ toString: null }], ['  '], ['0x10']])(
  'a duration that renders to %j fails',
  async (s) => {
    await expect(
      runNode(interrupt, { kind: 'wait', duration_seconds: '{{s}}' }, { roots: { s } }),
    ).rejects.toMatchObject({ code: 'invalid_wait' });
  },
);

const broken = { type: 'object', properties: { a: { items: { anyOf: [{ pattern: '(' }] } } } };
test('a pattern that cannot be searched is refused with the definition, however deep in a schema it is', () => {
  const at = 'properties.a.items.anyOf.0.pattern';
  expect(listProblems(interrupt, { ...approval, form: broken } as never)).toEqual([
    `invalid_pattern form.${at}`,
  ]);
  expect(listProblems(functionNode, { code: 'x', output_schema: broken } as never)).toEqual([
    `invalid_pattern output_schema.${at}`,
  ]);
});
test('a pattern of names that cannot be searched is refused with the definition', () => {
  const form = { properties: { a: { patternProperties: { '^x': { pattern: 'x' }, '(?=x)': true } } } };
  expect(listProblems(interrupt, { ...approval, form } as never)).toEqual([
    'invalid_pattern form.properties.a.patternProperties.(?=x)',
  ]);
});
test('a pattern that is data, or the name of a property, is none', () => {
  const form = { properties: { pattern: { enum: [{ pattern: '(' }], default: { pattern: '(' } } } };
  expect(listProblems(interrupt, { ...approval, form } as never)).toEqual([]);
});
