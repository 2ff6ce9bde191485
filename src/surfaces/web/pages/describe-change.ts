/** A change of a definition in the words of its form: the node by its name, each field by its label, the old and the new value. */
import { END, START } from '../../../language/graph/definition/definition.ts';
import { indexElements } from '../../../language/graph/definition/diff.ts';
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { listHandles } from '../canvas/kinds.ts';
import { listFields } from '../forms/fields.ts';
import { toText } from '../forms/formats.ts';
import { versionWords } from '../words-versions.ts';
import type { Change } from './definition-diff.ts';

export interface FieldChange {
  readonly label: string;
  /** Null: it was not set. */
  readonly from: string | null;
  readonly to: string | null;
}

interface ChangeDescription {
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

export interface Definitions {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Keys of a definition that hold others and say nothing themselves. */
const UNSAID: readonly string[] = ['config', 'state_schema', 'fields', 'metadata'];

/** Formats the keys on the way to a value: `recursion_limit` is `Recursion limit`. */
function formatKeys(tokens: readonly string[]): string {
  const said = tokens.filter((token, index) => index === tokens.length - 1 || !UNSAID.includes(token));
  const text = said.map((token) => token.replaceAll('_', ' ')).join(' › ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the field of the form that holds a value: its keys and its label. */
function findField(node: JsonObject | undefined, tokens: readonly string[]) {
  const [first, ...inside] = tokens;
  if (first !== 'config' || inside.length === 0) return { tokens: tokens.slice(0, 1), label: '' };
  const config = ownValue(node, 'config');
  const fields = listFields(readText(node, 'type'), isObject(config) ? config : {});
  const field = fields.find(({ ptr }) => parsePointer(ptr).every((token, index) => token === inside[index]));
  if (field === undefined) return { tokens: tokens.slice(0, 2), label: formatKeys(inside.slice(0, 1)) };
  return { tokens: ['config', ...parsePointer(field.ptr)], label: field.label };
}

const toShown = (value: Json | undefined): string | null => (value === undefined ? null : toText(value));

function describeFields(
  pointers: readonly string[],
  { old, now }: { readonly old: Json | undefined; readonly now: Json | undefined },
  find: (tokens: readonly string[]) => { readonly tokens: readonly string[]; readonly label: string },
): readonly FieldChange[] {
  const found = new Map<string, FieldChange>();
  for (const pointer of pointers) {
    const place = parsePointer(pointer);
    const { tokens, label } = find(place);
    // Keys inside a field are the person's own; entries of a list are counted from one.
    const inside = place
      .slice(tokens.length)
      .map((token) => (/^\d+$/.test(token) ? String(Number(token) + 1) : token));
    const shown = [label === '' ? formatKeys(tokens) : label, ...inside].join(' › ');
    found.set(shown, { label: shown, from: toShown(getAt(old, place)), to: toShown(getAt(now, place)) });
  }
  return [...found.values()];
}

const ENDS: Readonly<Record<string, string>> = { [START]: versionWords.start, [END]: versionWords.end };

function describeEdge(edge: JsonObject | undefined, definition: JsonObject): string {
  const [source, target] = ['source', 'target'].map((end) => {
    const id = readText(edge, end);
    return ENDS[id] ?? (readText(indexElements(definition, 'nodes').get(id), 'name') || id);
  });
  const node = indexElements(definition, 'nodes').get(readText(edge, 'source'));
  const handles = node === undefined ? [] : listHandles(node, []);
  const taken = handles.find(({ id }) => id === readText(edge, 'source_handle'));
  // One of several branches: two edges to the same node would read alike.
  const branch = handles.length > 1 && taken !== undefined ? taken.label || taken.id : null;
  return versionWords.edge(source ?? '', target ?? '', branch);
}

/** Describes a change between two definitions. */
export function describeChange(
  { what, id, fields }: Change,
  { before, after }: Definitions,
): ChangeDescription {
  if (what === 'settings')
    return {
      name: '',
      fields: describeFields(fields, { old: before, now: after }, (tokens) => ({ tokens, label: '' })),
    };
  const list = what === 'node' ? 'nodes' : 'edges';
  const [old, now] = [indexElements(before, list).get(id), indexElements(after, list).get(id)];
  const name =
    what === 'node'
      ? readText(now ?? old, 'name') || id
      : describeEdge(now ?? old, now === undefined ? before : after);
  const find = (tokens: readonly string[]) => findField(now ?? old, tokens);
  return { name, fields: describeFields(fields, { old, now }, find) };
}

/** Describes a place that a merge names, such as `nodes/classify/config/model`: the node and the field. */
export function describePlace(place: string, definitions: Definitions): string {
  const [list = '', id = '', ...inside] = place.split('/');
  const isElement = list === 'nodes' || list === 'edges';
  const what = list === 'nodes' ? 'node' : list === 'edges' ? 'edge' : 'settings';
  const pointer = formatPointer(isElement ? inside : place.split('/'));
  const { name, fields } = describeChange(
    { what, id: isElement ? id : '', how: 'changed', fields: [pointer] },
    definitions,
  );
  return [name, inside.length === 0 && isElement ? '' : fields[0]?.label].filter(Boolean).join(' › ');
}
