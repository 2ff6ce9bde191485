/** Problems at their fields: if this fails, a person reads paths and a library's English below a field. */
import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/graph/checks/validate.ts';
import { kindRules } from '../../../../src/language/nodes/registry.ts';
import { describeProblem } from '../../../../src/surfaces/web/forms/problem-words.ts';

function describeNode(node: object): string[] {
  const nodes = [{ id: 'a', ...node }];
  const edges = [{ source: '__start__', target: 'a' }];
  return validate({ nodes, edges }, kindRules)
    .filter(({ severity }) => severity === 'error')
    .map(describeProblem);
}

test('a problem is told without its path, in words for people', () => {
  const map = { type: 'transformer', config: { mode: 'map', fields: {} } };
  expect(
    describeNode({ ...map, retry: { max_attempts: 99 }, timeout_ms: 'x', for_each: {}, join: 'both' }),
  ).toEqual([
    'Must be a whole number from 1 to 20.',
    'Must be a whole number from 1 to 3600000.',
    'Must be one of: all, any.',
    'Enter a template of a list, such as {{node.items}}.',
  ]);
  expect(describeNode({ ...map, state_updates: { topic: '{{b.x}}' } })).toEqual([
    'The workflow has no state field "topic".',
    'There is no node or state field "b".',
  ]);
  const messages = [{ role: 'x' }];
  expect(
    describeNode({
      type: 'llm',
      config: { provider: '', model: 3, messages, parameters: { temperature: 9 } },
    }),
  ).toEqual([
    'Required.',
    'Must be text.',
    'Must be one of: system, user, assistant.',
    'Required.',
    'Must be at most 2.',
  ]);
});
