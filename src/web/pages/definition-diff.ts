/** What differs between two definitions, as a list that people read. */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';

export interface Change {
  readonly what: 'node' | 'edge' | 'settings';
  readonly id: string;
  readonly how: 'added' | 'removed' | 'changed';
  /** JSON pointers into the node, the edge or the definition; of `changed` alone. */
  readonly fields: readonly string[];
}

/** Where a node stands changes nothing of what it does. */
const UNSEEN = new Set(['position']);

const isSame = (a: unknown, b: unknown): boolean => fieldsOf(a, b, '').length === 0;

/** JSON pointers of what differs; of lists that differ, the list itself. */
function fieldsOf(a: unknown, b: unknown, at: string): string[] {
  if (Object.is(a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b)) {
    const isEqual = a.length === b.length && a.every((one, index) => isSame(one, b[index]));
    return isEqual ? [] : [at];
  }
  if (!isObject(a as Json) || !isObject(b as Json)) return [at];
  const [left, right] = [a as JsonObject, b as JsonObject];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((key) => at !== '' || !UNSEEN.has(key))
    .flatMap((key) =>
      fieldsOf(
        ownValue(left, key),
        ownValue(right, key),
        `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ),
    );
}

function byId(definition: JsonObject, list: 'nodes' | 'edges'): Map<string, JsonObject> {
  const entries = ownValue(definition, list);
  const objects = Array.isArray(entries) ? entries.filter((one) => isObject(one)) : [];
  return new Map(
    objects.map((one) => {
      const id = ownValue(one, 'id');
      return [typeof id === 'string' ? id : '', one];
    }),
  );
}

function changesOf(
  what: 'node' | 'edge',
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): Change[] => {
    const [old, now] = [before.get(id), after.get(id)];
    if (old === undefined) return [{ what, id, how: 'added', fields: [] }];
    if (now === undefined) return [{ what, id, how: 'removed', fields: [] }];
    const fields = fieldsOf(old, now, '');
    return fields.length === 0 ? [] : [{ what, id, how: 'changed', fields }];
  });
}

/** @returns what turns the first definition into the second; the place of nodes and notes is left out */
export function definitionDiff(before: JsonObject, after: JsonObject): readonly Change[] {
  const settings = ['config', 'state_schema', 'input_parameters', 'entry_point', 'end_points'].flatMap(
    (name) => fieldsOf(ownValue(before, name), ownValue(after, name), `/${name}`),
  );
  return [
    ...changesOf('node', byId(before, 'nodes'), byId(after, 'nodes')),
    ...changesOf('edge', byId(before, 'edges'), byId(after, 'edges')),
    ...(settings.length === 0
      ? []
      : [{ what: 'settings', id: '', how: 'changed', fields: settings } as const]),
  ];
}
