/**
 * Workflows to injure. Every call goes to the tag `<key>.<node id>[.<round or item>]` of the recorder, where `key` is
 * the run's own: so each effect can be told from all others.
 */
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import {
  END,
  START,
  chain,
  conditional,
  edge,
  node,
  rule,
  transform,
  when,
  workflow,
} from '../../support/definitions.ts';
import type { HttpRecorder } from '../../support/http-recorder.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The nodes of `mixed` whose calls the recorder sees, and how. */
export const CALLS: Readonly<Record<string, Method>> = {
  get1: 'GET',
  post1: 'POST',
  put1: 'PUT',
  post2: 'POST',
  get2: 'GET',
  put2: 'PUT',
  post3: 'POST',
  get3: 'GET',
  post4: 'POST',
  delete1: 'DELETE',
};
const FUNCTIONS = ['fn1', 'fn2', 'fn3'] as const;

/** How a run is to be held up, by node id. */
export interface Hindrance {
  /** Milliseconds that the node takes. */
  readonly delays?: Readonly<Record<string, number>>;
  /** Calls that get no answer before the first that gets one. */
  readonly holds?: Readonly<Record<string, number>>;
}

/** The input of a `mixed` run. */
export function given(key: string, { delays = {}, holds = {} }: Hindrance = {}): JsonObject {
  const none = Object.fromEntries([...Object.keys(CALLS), ...FUNCTIONS].map((name) => [name, 0]));
  return { key, delays: { ...none, ...delays }, holds: { ...none, ...holds } };
}

/** A call that the recorder can tell from others; `place` is a template for the round or the item. */
function call(
  recorder: HttpRecorder,
  id: string,
  method: Method,
  place = '',
  envelope: JsonObject = {},
  query = `delay_ms={{input.delays.${id}}}&hold={{input.holds.${id}}}`,
): JsonObject {
  const url = `${recorder.origin}/{{input.key}}.${id}${place === '' ? '' : `.${place}`}?${query}`;
  return node(id, 'tool', { kind: 'http', method, url }, envelope);
}

function busy(id: string): JsonObject {
  const code =
    'export default ({ms}) => { const end = Date.now() + ms; while (Date.now() < end); return {ms}; }';
  return node(id, 'function', { code, arguments: { ms: `{{input.delays.${id}}}` } });
}

/** Twenty nodes of every effect class in a row, one of them on a branch that is not taken. */
export function mixed(recorder: HttpRecorder): JsonObject {
  const at = (id: keyof typeof CALLS): JsonObject => call(recorder, id, CALLS[id] ?? 'GET');
  const before = [
    transform('first', { key: '{{input.key}}' }),
    at('get1'),
    at('post1'),
    busy('fn1'),
    at('put1'),
  ];
  const choice = conditional('choice', when('yes', rule('{{input.key}}', 'exists')));
  const other = call(recorder, 'other', 'POST', '', {}, 'delay_ms=0');
  const after = [
    transform('shape', { was: '{{put1.status}}' }),
    at('post2'),
    at('get2'),
    busy('fn2'),
    at('put2'),
    transform('again', { was: '{{put2.status}}' }),
    at('post3'),
    at('get3'),
    busy('fn3'),
    at('post4'),
    at('delete1'),
    transform('count', { calls: '{{post4.data.number}}' }),
    transform('last', { key: '{{input.key}}', calls: '{{count.calls}}' }),
  ];
  const ids = (nodes: readonly JsonObject[]): string[] => nodes.map((item) => String(item['id']));
  const row = (names: readonly string[]): JsonObject[] =>
    names.slice(1).map((name, index) => edge(names[index] ?? START, name));
  return workflow(
    [...before, choice, other, ...after],
    [
      ...row([START, ...ids(before), 'choice']),
      edge('choice', 'shape', 'yes'),
      edge('choice', 'other', 'else'),
      edge('other', END),
      ...row([...ids(after), END]),
    ],
  );
}

/** A question, answered `approve`, and a call on either side. */
export function asking(recorder: HttpRecorder): JsonObject {
  const actions = [{ id: 'approve' }, { id: 'reject' }];
  return chain(
    call(recorder, 'before', 'POST', '', {}, 'delay_ms=20'),
    node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions }),
    call(recorder, 'after', 'POST', '', {}, 'delay_ms=20'),
  );
}

/** A callback whose address is handed on before; and a call after it. */
export function callingBack(recorder: HttpRecorder): JsonObject {
  const body = { url: '{{paid.callback_url}}' };
  return chain(
    node('before', 'tool', {
      kind: 'http',
      method: 'POST',
      url: `${recorder.origin}/{{input.key}}.before`,
      body,
    }),
    node('paid', 'interrupt', { kind: 'callback' }),
    call(recorder, 'after', 'POST', '', {}, 'delay_ms=20'),
  );
}

/** Eight items, three at once, each a call that may be repeated and one that may not. */
export function mapped(recorder: HttpRecorder): JsonObject {
  const each = { for_each: { items: '{{input.rows}}', max_concurrency: 3, on_item_error: 'continue' } };
  return chain(
    call(recorder, 'puts', 'PUT', '{{index}}', each, 'delay_ms=100'),
    call(recorder, 'posts', 'POST', '{{index}}', each, 'delay_ms=50'),
  );
}

/** Five rounds of a call and a pure step. */
export function looping(recorder: HttpRecorder): JsonObject {
  const again = rule('{{state.count | length}}', 'lt', 5);
  return {
    ...workflow(
      [
        call(
          recorder,
          'round',
          'PUT',
          '{{loop.back.iteration}}',
          { state_updates: { count: 1 } },
          'delay_ms=80',
        ),
        conditional('check', when('again', again)),
        call(recorder, 'done', 'POST', '', {}, 'delay_ms=0'),
      ],
      [
        edge(START, 'round'),
        edge('round', 'check'),
        { ...edge('check', 'round', 'again'), id: 'back' },
        edge('check', 'done', 'else'),
        edge('done', END),
      ],
    ),
    state_schema: { fields: { count: { type: 'array', reducer: 'add', default: [] } } },
  };
}

/** Calls another workflow and waits for it; the child is `childOf`. */
export function calling(recorder: HttpRecorder, workflowId: string): JsonObject {
  return chain(
    node('sub', 'tool', { kind: 'workflow', workflow_id: workflowId, input: { key: '{{input.key}}-child' } }),
    call(recorder, 'after', 'POST', '', {}, 'delay_ms=0'),
  );
}
export function child(recorder: HttpRecorder): JsonObject {
  return chain(
    call(recorder, 'post', 'POST', '', {}, 'delay_ms=100'),
    call(recorder, 'put', 'PUT', '', {}, 'delay_ms=100'),
  );
}

/** Four branches at once and their join. */
export function spread(recorder: HttpRecorder): JsonObject {
  const branches = ['a', 'b', 'c', 'd'].map((id, index) =>
    call(recorder, id, index % 2 === 0 ? 'PUT' : 'GET', '', {}, `delay_ms=${100 + 100 * index}`),
  );
  const ids = branches.map((branch) => String(branch['id']));
  return workflow(
    [...branches, call(recorder, 'joined', 'POST', '', {}, 'delay_ms=0')],
    [...ids.flatMap((id) => [edge(START, id), edge(id, 'joined')]), edge('joined', END)],
  );
}

/** A durable timer between two calls. */
export function waiting(recorder: HttpRecorder): JsonObject {
  return chain(
    call(recorder, 'before', 'POST', '', {}, 'delay_ms=0'),
    node('wait', 'interrupt', { kind: 'wait', duration_seconds: 2 }),
    call(recorder, 'after', 'POST', '', {}, 'delay_ms=0'),
  );
}

/** A model that talks. */
export function talking(): JsonObject {
  const messages = [{ role: 'user', content: '{{input.key}}' }];
  return chain(node('talk', 'llm', { provider: 'openai', model: 'test-model', messages }));
}
