/**
 * Runs of seconds with a known output: whoever stops something in their middle can tell whether each came out right. A call goes to
 * the tag `<key>.<node id>[.<item>]` of the recorder, as those of shapes.ts do.
 */
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { chain, node, transform } from '../../support/definitions.ts';
import type { HttpRecorder } from '../../support/http-recorder.ts';
import type { ModelRequest, ModelServer, ScriptedAnswer } from '../../support/model-server.ts';
import type { Random } from './random.ts';

export interface Errand {
  readonly name: string;
  readonly definition: JsonObject;
  /** The output of the run that has begun with this key. */
  readonly output: (key: string) => unknown;
}

interface World {
  readonly recorder: HttpRecorder;
  readonly random: Pick<Random, 'between'>;
  /** Of the deployed `errandChild`. */
  readonly childId: string;
}

/** A call that takes one to eight seconds. */
function call(
  { recorder, random }: Pick<World, 'recorder' | 'random'>,
  { id, method, place = '' }: { readonly id: string; readonly method: string; readonly place?: string },
  envelope: JsonObject = {},
): JsonObject {
  const delayMs = Math.round(random.between(1_000, 8_000));
  const url = `${recorder.origin}/{{input.key}}.${id}${place}?delay_ms=${delayMs}`;
  return node(id, 'tool', { kind: 'http', method, url }, envelope);
}

const result = (value: string): JsonObject => transform('result', { tag: value });

function calling(world: World, method: 'GET' | 'PUT' | 'POST'): Errand {
  const id = method.toLowerCase();
  return {
    name: method,
    definition: chain(call(world, { id, method }), result(`{{${id}.data.tag}}`)),
    output: (key) => ({ tag: `${key}.${id}` }),
  };
}

/** A call that fails once, and is tried again after a second. */
function retrying({ recorder, random }: World): Errand {
  const delayMs = Math.round(random.between(500, 4_000));
  const url = `${recorder.origin}/{{input.key}}.again?delay_ms=${delayMs}&fail=1&status=503`;
  const envelope = { retry: { max_attempts: 4, initial_interval_ms: 1_000 } };
  return {
    name: 'retry',
    definition: chain(
      node('again', 'tool', { kind: 'http', method: 'GET', url }, envelope),
      result('{{again.data.tag}}'),
    ),
    output: (key) => ({ tag: `${key}.again` }),
  };
}

/** Many short calls, one after the other. */
function rowing({ recorder }: World): Errand {
  const ids = Array.from({ length: 16 }, (_, index) => `n${index}`);
  const calls = ids.map((id) => {
    const url = `${recorder.origin}/{{input.key}}.${id}?delay_ms=250`;
    return node(id, 'tool', { kind: 'http', method: 'PUT', url });
  });
  return {
    name: 'row',
    definition: chain(...calls, result(ids.map((id) => `{{${id}.data.tag}}`).join(' '))),
    output: (key) => ({ tag: ids.map((id) => `${key}.${id}`).join(' ') }),
  };
}

function mapping(world: World): Errand {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'];
  const each = { for_each: { items: rows, max_concurrency: 3 } };
  return {
    name: 'map',
    definition: chain(
      call(world, { id: 'items', method: 'POST', place: '.{{index}}' }, each),
      transform('result', { count: '{{items.count}}', last: '{{items.results[5].data.tag}}' }),
    ),
    output: (key) => ({ count: rows.length, last: `${key}.items.5` }),
  };
}

/** The run that the errand with a child calls. */
export const errandChild = (world: Pick<World, 'recorder' | 'random'>): JsonObject =>
  chain(call(world, { id: 'inner', method: 'POST' }), result('{{inner.data.tag}}'));

function parent({ childId }: World): Errand {
  const config = { kind: 'workflow', workflow_id: childId, input: { key: '{{input.key}}' } };
  return {
    name: 'child',
    definition: chain(node('sub', 'tool', config), result('{{sub.data.tag}}')),
    output: (key) => ({ tag: `${key}.inner` }),
  };
}

function question(world: World): Errand {
  const actions = [{ id: 'approve' }, { id: 'reject' }];
  return {
    name: 'question',
    definition: chain(
      call(world, { id: 'before', method: 'PUT' }),
      node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions }),
      call(world, { id: 'after', method: 'POST' }),
      result('{{before.data.tag}} {{after.data.tag}}'),
    ),
    output: (key) => ({ tag: `${key}.before ${key}.after` }),
  };
}

const WORDS = Array.from({ length: 80 }, (_, index) => `w${index} `);
const messages = [{ role: 'user', content: '{{input.key}}' }];

/** A model that talks for some seconds. */
export function talking(): Errand {
  return {
    name: 'model',
    definition: chain(
      node('talk', 'llm', { provider: 'openai', model: 'test-model', messages }),
      result('{{talk.content}}'),
    ),
    output: () => ({ tag: WORDS.join('') }),
  };
}

function agent({ recorder, random }: World): Errand {
  const delayMs = Math.round(random.between(1_000, 8_000));
  const url = `${recorder.origin}/{{input.key}}.fetch?delay_ms=${delayMs}`;
  const tools = [{ kind: 'http', name: 'fetch', method: 'POST', url }];
  return {
    name: 'agent',
    definition: chain(
      node('a', 'agent', { provider: 'openai', model: 'test-model', messages, tools }),
      result('{{a.content}} {{a.iterations}}'),
    ),
    output: () => ({ tag: 'Fetched 2' }),
  };
}

/** One errand of each kind. */
export const errands = (world: World): readonly Errand[] => [
  calling(world, 'POST'),
  calling(world, 'PUT'),
  calling(world, 'GET'),
  retrying(world),
  rowing(world),
  mapping(world),
  parent(world),
  question(world),
  talking(),
  agent(world),
];

function answer(body: ModelRequest['body']): ScriptedAnswer {
  if (!Array.isArray(body['tools'])) return { text: WORDS, delayMs: 60 };
  const said = body['messages'] as readonly { readonly role: string }[];
  if (said.some(({ role }) => role === 'tool')) return { text: ['Fetched'], delayMs: 500 };
  return { text: [], delayMs: 500, toolCalls: [{ id: 'call-fetch', name: 'fetch', arguments: {} }] };
}

/** Makes the models of the errands say what these expect. */
export const scriptErrands = (model: ModelServer): void => model.scriptBy(answer);
