/** The workflows of the corpus. No ids of theirs are random: their hashes stand in the recordings. */

const edge = (source: string, target: string, handle?: string): object => ({
  id: `${source}-${target}`,
  source,
  target,
  ...(handle === undefined ? {} : { source_handle: handle }),
});

const transformer = (id: string, fields: object, more: object = {}): object => ({
  id,
  type: 'transformer',
  name: id,
  position: { x: 1, y: 2 },
  config: { mode: 'map', fields },
  ...more,
});

const definition = (name: string, nodes: readonly object[], edges: readonly object[], more = {}): object => ({
  metadata: { name, description: 'Of the corpus', version: '1.0.0', tags: ['wire'] },
  config: {},
  state_schema: { fields: {} },
  nodes,
  edges,
  entry_point: '__start__',
  input_parameters: [],
  ...more,
});

/** Two transformers, one after the other, with a state field. */
export const pure = (): object =>
  definition(
    'Pure',
    [
      transformer('first', { z: '{{input.text}}', a: 1, ünïcode: 'é\u2028"\\' }),
      transformer('second', { both: '{{first}}' }, { state_updates: { log: 'second' } }),
    ],
    [edge('__start__', 'first'), edge('first', 'second'), edge('second', '__end__')],
    { state_schema: { fields: { log: { type: 'array', reducer: 'add', default: [] } } } },
  );

/** Asks a person above 100, else pays. */
export const refund = (): object =>
  definition(
    'Refund',
    [
      {
        id: 'size',
        type: 'conditional',
        name: 'size',
        config: {
          mode: 'rules',
          cases: [{ id: 'large', match: 'all', rules: [{ left: '{{input.amount}}', op: 'gt', right: 100 }] }],
          default: 'else',
        },
      },
      {
        id: 'ask',
        type: 'interrupt',
        name: 'ask',
        config: {
          kind: 'approval',
          title: 'Refund {{input.amount}}?',
          actions: [{ id: 'approve' }, { id: 'reject' }],
          form: { type: 'object', properties: { comment: { type: 'string' } } },
        },
      },
      transformer('pay', { paid: '{{input.amount}}' }, { join: 'any' }),
      transformer('refuse', { paid: 0 }),
    ],
    [
      edge('__start__', 'size'),
      edge('size', 'ask', 'large'),
      edge('size', 'pay', 'else'),
      edge('ask', 'pay', 'approve'),
      edge('ask', 'refuse', 'reject'),
    ],
  );

/** Fails in its second node. */
export const failing = (): object =>
  definition(
    'Failing',
    [
      transformer('fine', { x: 1 }),
      {
        id: 'broken',
        type: 'function',
        name: 'broken',
        config: { language: 'javascript', code: 'throw new Error("as planned")' },
      },
    ],
    [edge('__start__', 'fine'), edge('fine', 'broken'), edge('broken', '__end__')],
  );

/** One call of the managed model. */
export const chat = (): object =>
  definition(
    'Chat',
    [
      {
        id: 'say',
        type: 'llm',
        name: 'say',
        config: {
          provider: 'openai',
          model: 'test-model',
          messages: [{ role: 'user', content: 'Say hello to {{input.name}}' }],
        },
      },
    ],
    [edge('__start__', 'say'), edge('say', '__end__')],
  );

/** start -> a -> b -> end, for the canvas. */
export const canvas = (): object =>
  definition(
    'Canvas',
    [transformer('a', { a: 1 }), transformer('b', { b: 1 })],
    [edge('__start__', 'a'), edge('a', 'b'), edge('b', '__end__')],
  );
