/** The page of versions would hide a change of a definition, or show a node that only moved as one. */
import { expect, test } from 'vitest';
import { listDefinitionChanges } from '../../../../src/surfaces/web/pages/definition-diff.ts';

const node = (id: string, config: object, x = 0) => ({
  id,
  type: 'transformer',
  position: { x, y: 0 },
  config,
});

test('nodes and edges that came, went and changed are told with their fields; a node that only moved is not', () => {
  const before = {
    nodes: [node('kept', { a: 1 }), node('gone', {}), node('edited', { fields: { 'a/b': 1, list: [1, 2] } })],
    edges: [{ id: 'e', source: 'kept', target: 'gone' }],
    config: { recursion_limit: 10 },
  } as never;
  const after = {
    nodes: [
      node('kept', { a: 1 }, 50),
      node('edited', { fields: { 'a/b': 2, list: [1, 3] } }),
      node('new', {}),
    ],
    edges: [{ id: 'e', source: 'kept', target: 'new' }],
    config: { recursion_limit: 20 },
  } as never;
  expect(
    listDefinitionChanges(before, after).map(({ what, id, how, fields }) => [what, id, how, ...fields]),
  ).toEqual([
    ['node', 'gone', 'removed'],
    ['node', 'edited', 'changed', '/config/fields/a~1b', '/config/fields/list/1'],
    ['node', 'new', 'added'],
    ['edge', 'e', 'changed', '/target'],
    ['settings', '', 'changed', '/config/recursion_limit'],
  ]);
  expect(listDefinitionChanges(after, after)).toEqual([]);
  // The state field of a node comes and goes with it.
  const automatic = { type: 'Any', reducer: 'none' };
  const withFields = {
    ...(after as object),
    state_schema: { fields: { kept: automatic, new: automatic } },
  } as never;
  expect(listDefinitionChanges(after, withFields)).toEqual([]);
  const withTopic = {
    ...(after as object),
    state_schema: { fields: { kept: automatic, topic: automatic } },
  } as never;
  expect(listDefinitionChanges(withFields, withTopic)).toMatchObject([{ fields: ['/state_schema'] }]);
});
