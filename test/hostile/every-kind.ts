/** A valid definition with every available kind of node and most of the envelope: something to make mistakes in. */
import { conditional, edge, http, node, rule, transform, when, workflow } from '../support/definitions.ts';

const MODEL = { provider: 'openai', model: 'm', credential_id: null };

export const everyKind = workflow(
  [
    transform('first', { text: '{{input.text}}', n: 3 }, { retry: { max_attempts: 2 }, timeout_ms: 1_000 }),
    node('screen', 'guardrails', {
      input: '{{first.text}}',
      checks: [{ id: 'pii', type: 'pii', entities: ['EMAIL'], action: 'mask' }],
    }),
    node('count', 'function', {
      language: 'javascript',
      code: 'export default ({ text }) => text.length',
      arguments: { text: '{{first.text}}' },
    }),
    node('ask', 'llm', { ...MODEL, messages: [{ role: 'user', content: '{{screen.text}}' }] }),
    http(
      'call',
      'https://api.example.com/{{item.id}}',
      { headers: { 'x-a': '{{first.n}}' }, query: { q: ['{{item.q}}'] }, body: { a: '{{item}}' } },
      {
        for_each: { items: '{{input.rows}}', max_concurrency: 3 },
        on_error: 'continue',
        default_output: null,
      },
    ),
    node('pause', 'interrupt', {
      kind: 'approval',
      title: 'Go on?',
      actions: [{ id: 'yes' }, { id: 'no' }],
    }),
    conditional('choose', when('long', rule('{{count.value}}', 'gt', 10))),
    transform('last', { all: '{{state.log}}' }, { state_updates: { log: ['{{count.value}}'] }, join: 'any' }),
  ],
  [
    edge('__start__', 'first'),
    edge('first', 'screen'),
    edge('first', 'count'),
    edge('screen', 'ask'),
    edge('ask', 'call'),
    edge('call', 'pause'),
    edge('count', 'choose'),
    edge('choose', 'last', 'long'),
    edge('choose', '__end__', 'else'),
    edge('pause', 'last', 'yes', { when: rule('{{first.n}}', 'eq', 3) }),
    edge('pause', '__end__', 'no'),
    edge('last', '__end__'),
  ],
  {
    metadata: { name: 'Every kind', description: 'x', version: '1.0.0', tags: ['a'] },
    config: { recursion_limit: 50, output: { said: '{{last.all}}' }, strict_templates: false },
    state_schema: { fields: { log: { type: 'array', reducer: 'add', default: [] } } },
    input_parameters: [{ name: 'text', type: 'string', required: true }],
    start_position: { x: 0, y: 0 },
  },
);
