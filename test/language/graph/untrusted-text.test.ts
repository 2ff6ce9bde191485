/** A stranger would choose where a request goes or what a model is told, and nobody had been warned; or every workflow would be warned of. */
import { expect, test } from 'vitest';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { starterDefinition } from '../../../src/features/workflows/starter.ts';
import { listFaces } from '../../../src/language/nodes/faces.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';

const HOOK = { type: 'webhook' };
const CREDENTIAL = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';
type Nodes = Readonly<Record<string, { readonly type: string; readonly config: JsonObject } & JsonObject>>;

const http = (config: JsonObject) => ({ type: 'tool', config: { kind: 'http', ...config } });
const model = (content: string, more: JsonObject = {}) => ({
  type: 'llm',
  config: { provider: 'openai', model: 'm', messages: [{ role: 'user', content }], ...more },
});

function define(nodes: Nodes, edges: readonly JsonObject[], triggers: Json): JsonObject {
  const listed = Object.entries(nodes).map(([id, node]) => ({ id, ...node }));
  return { config: { triggers }, nodes: listed, edges: [...edges] };
}

/** The nodes one behind the other. */
function chain(nodes: Nodes): JsonObject[] {
  const ids = ['__start__', ...Object.keys(nodes)];
  return ids.slice(1).map((target, at) => ({ source: ids[at] ?? '', target }));
}

/** The warnings, as the place and what comes there. */
function warn(nodes: Nodes, more: { triggers?: Json; edges?: readonly JsonObject[] } = {}): string[] {
  const { triggers = { hook: HOOK }, edges = chain(nodes) } = more;
  const found = validate(define(nodes, edges, triggers), kindRules);
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  return found
    .filter(({ code }) => code === 'untrusted_to_sensitive')
    .map(({ path, message }) => `${path.slice(3).join('.')} ${/\{\{(.*?)\}\}/.exec(message)?.[1] ?? ''}`);
}

const post = (config: JsonObject) => http({ method: 'POST', url: 'https://pay.example/orders', ...config });

test.each<[string, Nodes, string[]]>([
  ['the host', { get: http({ url: '{{input.url}}' }) }, ['url input.url']],
  [
    'the path of a write',
    { put: http({ method: 'PUT', url: 'https://a.example/{{input.id}}' }) },
    ['url input.id'],
  ],
  [
    'a header',
    { get: http({ url: 'https://a.example', headers: { 'x-role': '{{input.role}}' } }) },
    ['headers.x-role input.role'],
  ],
  [
    'an amount',
    { pay: post({ body: { order: { amount: '{{input.sum}}' } } }) },
    ['body.order.amount input.sum'],
  ],
  ['a whole request', { pay: post({ body: '{{input.order}}' }) }, ['body input.order']],
  [
    'the channel of an action',
    {
      tell: {
        type: 'tool',
        config: {
          kind: 'integration',
          integration: 'slack',
          action: 'send_message',
          credential_id: CREDENTIAL,
          parameters: { channel: '{{input.room}}', text: '{{input.text}}' },
        },
      },
    },
    ['parameters.channel input.room'],
  ],
  [
    'instructions',
    { say: model('hello', { messages: [{ role: 'system', content: 'Be {{input.mood}}' }] }) },
    ['messages.0.content input.mood'],
  ],
  [
    'an agent that may act',
    {
      act: {
        type: 'agent',
        config: {
          provider: 'openai',
          model: 'm',
          messages: [{ role: 'user', content: '{{input.text}}' }],
          tools: [
            { kind: 'http', name: 'pay', description: 'pays', method: 'POST', url: 'https://pay.example' },
          ],
        },
      },
    },
    ['messages input.text'],
  ],
  [
    'the answer of a model',
    { say: model('{{input.text}}'), get: http({ url: '{{say.content}}' }) },
    ['url say.content'],
  ],
  [
    'a web page in instructions',
    {
      page: http({ url: 'https://news.example' }),
      say: model('x', { messages: [{ role: 'system', content: '{{page.data}}' }] }),
    },
    ['messages.0.content page.data'],
  ],
  [
    'what a transformer and a field carry',
    {
      tidy: { type: 'transformer', config: { mode: 'map', fields: { to: '{{input.url}}', n: '1' } } },
      get: http({ url: '{{tidy.to}}' }),
    },
    ['url tidy.to'],
  ],
  [
    'items',
    { get: { ...http({ url: '{{item.url}}' }), for_each: { items: '{{input.pages}}' } } },
    ['url item.url'],
  ],
])('%s from outside is warned of', (_title, nodes, expected) => {
  expect(warn(nodes)).toEqual(expected);
});

test.each<[string, Nodes]>([
  ['what is said', { tell: post({ body: { text: '{{input.text}}', title: 'New' } }) }],
  ['what is read', { get: http({ url: 'https://a.example/{{input.id}}', query: { q: '{{input.q}}' } }) }],
  [
    'a header that names the request',
    { get: http({ url: 'https://a.example', headers: { 'Idempotency-Key': '{{input.id}}' } }) },
  ],
  ['the prompt of a model', { say: model('{{input.text}}') }],
  ['what people confirm', { pay: { ...post({ body: { amount: '{{input.sum}}' } }), confirm: {} } }],
  [
    'a choice of a schema',
    {
      say: model('{{input.text}}', {
        response_format: {
          type: 'json_schema',
          schema: { type: 'object', properties: { url: { enum: ['https://a.example'] } } },
        },
      }),
      get: http({ url: '{{say.data.url}}' }),
    },
  ],
  [
    'another field of a map',
    {
      tidy: {
        type: 'transformer',
        config: { mode: 'map', fields: { to: '{{input.url}}', n: 'https://a.example' } },
      },
      get: http({ url: '{{tidy.n}}' }),
    },
  ],
  [
    'an id that the service itself gave',
    {
      made: http({ method: 'POST', url: 'https://a.example/orders' }),
      put: http({ method: 'PUT', url: 'https://a.example/orders/{{made.data.id}}' }),
    },
  ],
  [
    'a text that guardrails have checked',
    {
      screen: {
        type: 'guardrails',
        config: { input: '{{input.url}}', checks: [{ type: 'urls', allowed_hosts: ['a.example'] }] },
      },
      get: http({ url: '{{screen.text}}' }),
    },
  ],
  [
    'an agent whose tools ask',
    {
      act: {
        type: 'agent',
        config: {
          provider: 'openai',
          model: 'm',
          messages: [{ role: 'user', content: '{{input.text}}' }],
          tools: [
            {
              kind: 'http',
              name: 'pay',
              description: 'pays',
              method: 'POST',
              url: 'https://pay.example',
              approval: 'always',
            },
          ],
        },
      },
    },
  ],
  [
    'a pinned answer',
    {
      page: { ...http({ url: 'https://news.example' }), mock: { enabled: true, output: { data: 'x' } } },
      get: http({ url: '{{page.data}}' }),
    },
  ],
  [
    'a value that is vouched for',
    {
      get: {
        ...http({ url: '{{input.link.url}}' }),
        trusted_values: [{ value: 'input.link', reason: 'Signed by the shop' }],
      },
    },
  ],
])('%s is not', (_title, nodes) => {
  expect(warn(nodes)).toEqual([]);
});

test('without a webhook the input is of members and programs of the organization', () => {
  expect(warn({ get: http({ url: '{{input.url}}' }) }, { triggers: {} })).toEqual([]);
});

const condition = (left: string) => ({
  type: 'conditional',
  config: { cases: [{ id: 'known', rules: [{ left, op: 'eq', right: 'https://a.example' }] }] },
});

test('a condition on the value is a check, unless a way leads around it', () => {
  const nodes = { known: condition('{{input.url}}'), get: http({ url: '{{input.url}}' }) };
  const behind = [
    { source: '__start__', target: 'known' },
    { source: 'known', source_handle: 'known', target: 'get' },
    { source: 'known', source_handle: 'else', target: '__end__' },
  ];
  expect(warn(nodes, { edges: behind })).toEqual([]);
  const around = [...behind, { source: '__start__', target: 'get' }];
  expect(warn(nodes, { edges: around })).toEqual(['url input.url']);
  const other = { ...nodes, known: condition('{{input.name}}') };
  expect(warn(other, { edges: behind })).toEqual(['url input.url']);
  const guarded = { left: '{{input.url}}', op: 'starts_with', right: 'https://a.example/' };
  const onEdge = [
    { source: '__start__', target: 'known' },
    { source: 'known', target: 'get', when: guarded },
  ];
  expect(warn(other, { edges: onEdge })).toEqual([]);
});

test('a webhook gives what its mapping takes from the request, but for what its filter checks', () => {
  const get = { get: http({ url: '{{input.url}}' }) };
  const warnOf = (trigger: JsonObject) => warn(get, { triggers: { hook: { ...HOOK, ...trigger } } });
  expect(warnOf({ mapping: { url: 'https://a.example' } })).toEqual([]);
  expect(warnOf({ mapping: { url: '{{body.link}}' } })).toEqual(['url input.url']);
  const filter = (left: string) => ({ left, op: 'eq', right: 'https://a.example' });
  expect(warnOf({ mapping: { url: '{{body.link}}' }, filter: filter('{{body.link}}') })).toEqual([]);
  expect(warnOf({ filter: filter('{{body.url}}') })).toEqual([]);
  expect(warnOf({ filter: filter('{{body.kind}}') })).toEqual(['url input.url']);
});

test('a loop and a state field carry a text on, and end the search', () => {
  const nodes = {
    keep: {
      type: 'transformer',
      state_updates: { link: '{{input.url}}' },
      config: { mode: 'template', template: '{{again.text}}' },
    },
    again: { type: 'transformer', config: { mode: 'template', template: '{{state.link}}{{keep.text}}' } },
    get: http({ url: '{{again.text}}' }),
  };
  const definition = { ...define(nodes, chain(nodes), { hook: HOOK }), state_schema: { link: {} } };
  const found = validate(definition, kindRules).filter(({ code }) => code === 'untrusted_to_sensitive');
  expect(found.map(({ path }) => path)).toEqual([['nodes', 2, 'config', 'url']]);
});

test.each([
  [[{ value: 'input.url' }]],
  [[{ value: '', reason: 'x' }]],
  [[{ value: 'x', reason: 'y'.repeat(501) }]],
  ['x'],
  [Array.from({ length: 51 }, () => ({ value: 'x', reason: 'y' }))],
])('trusted_values %# have a reason, or the definition has an error', (trusted) => {
  const definition = define(
    { get: { ...http({ url: 'https://a.example' }), trusted_values: trusted as Json } },
    [{ source: '__start__', target: 'get' }],
    {},
  );
  const errors = validate(definition, kindRules).filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code }) => code)).toEqual(['invalid_value']);
});

test('no workflow that the service offers is warned of, with a webhook before it', () => {
  const presets = listFaces().flatMap(({ type, config: usual, presets }) => [
    { type, config: usual },
    ...(presets ?? []).map(({ config, more }) => ({ type, config, ...more })),
  ]);
  const offered = presets.map((node, index) => define({ [`n${index}`]: node }, [], { hook: HOOK }));
  const starters = [null, 'model'].map((name) => ({
    ...starterDefinition(name),
    config: { triggers: { hook: HOOK } },
  }));
  const warned = [...offered, ...starters].filter((definition) =>
    validate(definition, kindRules).some(({ code }) => code === 'untrusted_to_sensitive'),
  );
  expect(warned).toEqual([]);
});

test('2,000 nodes that all check and read one another are followed with bounded work', () => {
  const nodes: Record<string, Nodes[string]> = {};
  for (let at = 0; at < 1_000; at += 1) {
    nodes[`c${at}`] = {
      type: 'conditional',
      config: { cases: [{ id: 'yes', rules: [{ left: `{{input.u${at}}}`, op: 'eq', right: 1 }] }] },
    };
    nodes[`g${at}`] = http({ url: `{{input.u${at}}}`, headers: { x: `{{g${(at + 7) % 1_000}.data}}` } });
  }
  const definition = define(nodes, chain(nodes), { hook: HOOK });
  const found = validate(definition, kindRules).filter(({ code }) => code === 'untrusted_to_sensitive');
  // The headers, as many as are listed; each URL stands behind its check.
  expect(found.length).toBeGreaterThan(100);
  expect(new Set(found.map(({ path }) => path[3]))).toEqual(new Set(['headers']));
});
