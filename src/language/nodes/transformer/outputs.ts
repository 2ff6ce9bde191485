/** The paths of a transformer's output, by its config. */
import { stepInto } from '../../graph/template/path-text.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/values/value.ts';
import { readText } from '../face.ts';

const LIST: readonly string[] = ['items', 'count'];
/** By mode. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  list: LIST,
  group: LIST,
  join: LIST,
  unique: LIST,
  chunk: LIST,
  flatten: LIST,
  pick: LIST,
  rename: LIST,
  template: ['text'],
  format: ['text'],
  merge: ['value'],
};
/** Lists the names of the fields that the items of a transformer's list will have. */
function listItemNames(config: JsonObject, mode: string): readonly string[] {
  const select = ownValue(config, 'select');
  if (mode === 'list' || mode === 'join') {
    if (isObject(select)) return Object.keys(select);
    return mode === 'join' && (select ?? null) === null ? ['left', 'right'] : [];
  }
  if (mode === 'pick') return readTexts(ownValue(config, 'keep'));
  if (mode !== 'group') return [];
  const [keys, values] = [ownValue(config, 'keys'), ownValue(config, 'values')];
  const computed = Array.isArray(values) ? values.map((value) => ownValue(value, 'name') ?? null) : [];
  return [...(isObject(keys) ? Object.keys(keys) : []), ...readTexts(computed)];
}

const readTexts = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string' && one !== '');

/** Lists the paths that the output of a transformer will have. */
export function listOutputs(config: JsonObject): readonly string[] {
  const mode = readText(config, 'mode');
  const fields = ownValue(config, 'fields');
  if (mode === 'map' && isObject(fields)) return Object.keys(fields);
  const names = listItemNames(config, mode);
  const first = names.length === 0 ? [] : ['items[0]', ...names.map((name) => stepInto('items[0]', name))];
  return [...(MODES[mode] ?? []), ...first];
}
