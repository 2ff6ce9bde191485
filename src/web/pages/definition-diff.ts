/** Lists the changes between two definitions. */
import { findDifferingPointers, indexById } from '../../graph/diff.ts';
import { ownValue, type JsonObject } from '../../graph/value.ts';

export interface Change {
  readonly what: 'node' | 'edge' | 'settings';
  readonly id: string;
  readonly how: 'added' | 'removed' | 'changed';
  /** JSON pointers into the node, the edge or the definition; of `changed` alone. */
  readonly fields: readonly string[];
}

/** The position of a node does not change what it does. */
const POSITION = /^\/position(\/|$)/;

const SETTINGS = ['config', 'state_schema', 'input_parameters', 'entry_point', 'end_points'];

const indexList = (definition: JsonObject, list: 'nodes' | 'edges'): ReadonlyMap<string, JsonObject> =>
  indexById(ownValue(definition, list)) ?? new Map();

function listElementChanges(
  what: 'node' | 'edge',
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): Change[] => {
    const [old, now] = [before.get(id), after.get(id)];
    if (old === undefined) return [{ what, id, how: 'added', fields: [] }];
    if (now === undefined) return [{ what, id, how: 'removed', fields: [] }];
    const fields = findDifferingPointers(old, now).filter((place) => !POSITION.test(place));
    return fields.length === 0 ? [] : [{ what, id, how: 'changed', fields }];
  });
}

/** @returns what turns the first definition into the second; the place of nodes and notes is left out */
export function listDefinitionChanges(before: JsonObject, after: JsonObject): readonly Change[] {
  const settings = SETTINGS.flatMap((name) =>
    findDifferingPointers(ownValue(before, name), ownValue(after, name)).map((place) => `/${name}${place}`),
  );
  return [
    ...listElementChanges('node', indexList(before, 'nodes'), indexList(after, 'nodes')),
    ...listElementChanges('edge', indexList(before, 'edges'), indexList(after, 'edges')),
    ...(settings.length === 0
      ? []
      : [{ what: 'settings', id: '', how: 'changed', fields: settings } as const]),
  ];
}
