/** Completion would offer paths that an output never has, or none of those that it will have. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { listOutputPaths } from '../../../../src/surfaces/web/text/known-shapes.ts';

const pathsOf = (config: JsonObject) =>
  listOutputPaths({ id: 'n', type: 'transformer', config }, () => undefined);

test.each<[JsonObject, string[]]>([
  [{ mode: 'map', fields: { total: '{{sum.total}}' } }, ['total']],
  [{ mode: 'merge' }, ['value']],
  [{ mode: 'list', source: '{{a}}' }, ['items', 'count']],
  [
    { mode: 'list', select: { id: '{{item.id}}', 'full name': '' } },
    ['items', 'count', 'items[0]', 'items[0].id', 'items[0]["full name"]'],
  ],
  [
    {
      mode: 'group',
      keys: { who: '{{item.customer}}' },
      values: [{ name: 'total', op: 'sum' }, { op: 'count' }, 'no object'],
    },
    ['items', 'count', 'items[0]', 'items[0].who', 'items[0].total'],
  ],
  [{ mode: 'group', keys: null, values: '{{a}}' }, ['items', 'count']],
  [{ mode: 'join' }, ['items', 'count', 'items[0]', 'items[0].left', 'items[0].right']],
  [{ mode: 'join', select: '{{item.left}}' }, ['items', 'count']],
  [{ mode: 'pick', keep: ['id', 7] }, ['items', 'count', 'items[0]', 'items[0].id']],
  [{ mode: 'chunk', size: 2 }, ['items', 'count']],
  [{ mode: 'unknown' }, []],
])('DEF-2.7: the paths of the transformer %j are %j', (config, paths) => {
  expect(pathsOf(config)).toEqual(paths);
});
