/** Lists the changes between two definitions. */
import { findDifferingPointers, indexElements } from '../../../language/graph/definition/diff.ts';
import { AUTOMATIC_FIELD, listStateFields } from '../../../language/graph/definition/state-fields.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';

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

/** The state schema without the automatic fields of its nodes, which come and go with these; undefined when none is left. */
function readStateSchema(definition: JsonObject): JsonObject | undefined {
  const schema = ownValue(definition, 'state_schema');
  const { isWrapped, fields } = listStateFields(schema);
  const nodes = indexElements(definition, 'nodes');
  const left = Object.fromEntries(
    Object.entries(fields).filter(([name, field]) => !(nodes.has(name) && sameJson(field, AUTOMATIC_FIELD))),
  );
  if (Object.keys(left).length === 0) return undefined;
  return isWrapped ? { ...(isObject(schema) ? schema : {}), fields: left } : left;
}

function readSetting(definition: JsonObject, name: string): Json | undefined {
  if (name === 'state_schema') return readStateSchema(definition);
  // A definition without settings has the default of each.
  return ownValue(definition, name) ?? (name === 'config' ? {} : undefined);
}

/** The metadata without what only the canvas shows: notes, groups and pins. */
function readMetadata(definition: JsonObject): JsonObject {
  const stored = ownValue(definition, 'metadata');
  const { canvas: _, ...metadata } = isObject(stored) ? stored : {};
  return metadata;
}

/** Whether a deployment of the second definition would do what one of the first does, also as a tool of others. */
export const isSameWork = (before: JsonObject, after: JsonObject): boolean =>
  listDefinitionChanges(before, after).length === 0 && sameJson(readMetadata(before), readMetadata(after));

/** @returns what turns the first definition into the second; the place of nodes and notes is left out */
export function listDefinitionChanges(before: JsonObject, after: JsonObject): readonly Change[] {
  const settings = SETTINGS.flatMap((name) =>
    findDifferingPointers(readSetting(before, name), readSetting(after, name)).map(
      (place) => `/${name}${place}`,
    ),
  );
  return [
    ...listElementChanges('node', indexElements(before, 'nodes'), indexElements(after, 'nodes')),
    ...listElementChanges('edge', indexElements(before, 'edges'), indexElements(after, 'edges')),
    ...(settings.length === 0
      ? []
      : [{ what: 'settings', id: '', how: 'changed', fields: settings } as const]),
  ];
}
