/** The definitions that are measured. */
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { chain, edge, END, http, node, START, transform, workflow } from '../support/definitions.ts';
import { MODEL } from './system.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index + 1}`);

/** Transformers in a row; each reads the one before it. */
export function pureChain(count: number): JsonObject {
  return chain(
    ...names(count).map((name, index) =>
      transform(name, { value: index === 0 ? '{{input.value}}' : `{{n${index}.value}}`, at: index }),
    ),
  );
}

/** Functions of one line in a row; each reads the one before it. */
export function functionChain(count: number): JsonObject {
  return chain(
    ...names(count).map((name, index) =>
      node(name, 'function', {
        code: 'export default ({ value }) => ({ value: value + 1 })',
        arguments: { value: index === 0 ? '{{input.value}}' : `{{n${index}.value}}` },
      }),
    ),
  );
}

/** HTTP calls in a row, to the address that the run's input names. POST is an effect that must not be repeated. */
export function toolChain(count: number, method: 'GET' | 'POST' = 'GET'): JsonObject {
  return chain(...names(count).map((name) => http(name, '{{input.url}}', { method })));
}

/** Tool calls side by side, and a node that joins them. */
export function fanOut(count: number): JsonObject {
  const branches = names(count);
  return workflow(
    [
      ...branches.map((name) => http(name, '{{input.url}}', { method: 'GET' })),
      transform('join', { last: `{{n${count}.status}}` }),
    ],
    [...branches.flatMap((name) => [edge(START, name), edge(name, 'join')]), edge('join', END)],
  );
}

/** A tool call for each item of the run's input, `atOnce` of them side by side, and a node that reads their results. */
export function mapped(atOnce: number): JsonObject {
  const each = { for_each: { items: '{{input.rows}}', max_concurrency: atOnce } };
  return chain(
    http('call', '{{input.url}}', { method: 'GET' }, each),
    transform('join', { calls: '{{call.count}}' }),
  );
}

/** One model that streams as the run's input says. */
export function talk(): JsonObject {
  const config = {
    provider: 'openai',
    model: MODEL,
    messages: [{ role: 'user', content: '{{input.prompt}}' }],
  };
  return chain(node('talk', 'llm', config));
}
