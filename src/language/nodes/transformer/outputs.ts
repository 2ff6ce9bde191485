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
/** Of the mode `parse`, by format. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  csv: LIST,
  xlsx: LIST,
  html: LIST,
  html_table: LIST,
  feed: [
    'feed.title',
    'feed.link',
    ...LIST,
    'items[0]',
    'items[0].id',
    'items[0].title',
    'items[0].link',
    'items[0].published',
    'items[0].summary',
    'items[0].content',
    'items[0].image',
  ],
  json: ['data'],
  yaml: ['data'],
  xml: ['data'],
  front_matter: ['data', 'content'],
  email: ['from.address', 'from.name', 'to', 'subject', 'date', 'text', 'html', 'attachments'],
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

/** Lists the paths of parsed values; of HTML the fields of its items, too. */
function listParsed(config: JsonObject, fields: Json | undefined): readonly string[] {
  const format = readText(config, 'format');
  const names = format === 'html' && isObject(fields) ? Object.keys(fields) : [];
  return [...(FORMATS[format] ?? []), ...listFirst(names)];
}

/** Lists the paths of the first item of a list. */
const listFirst = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : ['items[0]', ...names.map((name) => stepInto('items[0]', name))];

/** Lists the paths that the output of a transformer will have. */
export function listOutputs(config: JsonObject): readonly string[] {
  const mode = readText(config, 'mode');
  const fields = ownValue(config, 'fields');
  if (mode === 'map' && isObject(fields)) return Object.keys(fields);
  if (mode === 'parse') return listParsed(config, fields);
  return [...(MODES[mode] ?? []), ...listFirst(listItemNames(config, mode))];
}
