/** JSON schemas of the OpenAPI document as HTML lists: fields, types, bounds; named schemas are links. */
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that may stand in HTML and in its quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** A member that is an object, or an empty one. */
export function objectAt(value: Json | undefined, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** A member that is a text, or an empty one. */
export function textAt(value: Json | undefined, key: string): string {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
}

/** A member's elements, if it is an array. */
export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The last word of `#/components/schemas/Name`. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const link = (name: string): string => `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`;

const BOUNDS: readonly (readonly [key: string, words: string])[] = [
  ['format', ''],
  ['minimum', 'from '],
  ['maximum', 'to '],
  ['minLength', 'at least characters: '],
  ['maxLength', 'at most characters: '],
  ['minItems', 'at least items: '],
  ['maxItems', 'at most items: '],
  ['default', 'default '],
];

/** Bounds that only say that a number is a whole one. */
const isEveryInteger = (value: Json): boolean =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;

function boundsOf(schema: JsonObject): string {
  const found = BOUNDS.flatMap(([key, words]) => {
    const value = schema[key];
    return value === undefined || isEveryInteger(value)
      ? []
      : [`${words}${typeof value === 'string' ? value : JSON.stringify(value)}`];
  });
  return found.length === 0 ? '' : ` <span class="quiet">${escaped(found.join(', '))}</span>`;
}

/** The type in a few words. */
function typeOf(schema: Json | undefined): string {
  if (!isObject(schema)) return 'any';
  const reference = textAt(schema, '$ref');
  if (reference !== '') return link(nameOf(reference));
  const options = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (options.length > 0) return options.map(typeOf).join(' or ');
  const values = 'const' in schema ? [schema['const']] : listAt(schema, 'enum');
  if (values.length > 0)
    return values.map((value) => `<code>${escaped(JSON.stringify(value))}</code>`).join(' or ');
  const { type } = schema;
  if (type === 'array') return `array of ${typeOf(schema['items'])}`;
  const words = Array.isArray(type) ? type.map(String).join(' or ') : typeof type === 'string' ? type : 'any';
  return `${escaped(words)}${boundsOf(schema)}`;
}

/** The object whose fields are worth listing below a type: the schema itself, its items, or one of its options. */
function nested(schema: Json | undefined): JsonObject | null {
  if (!isObject(schema) || textAt(schema, '$ref') !== '') return null;
  if (Object.keys(objectAt(schema, 'properties')).length > 0) return schema;
  for (const inner of [schema['items'], ...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]) {
    const found = nested(inner);
    if (found !== null) return found;
  }
  return null;
}

function fields(schema: JsonObject): string {
  const required = new Set(listAt(schema, 'required'));
  const items = Object.entries(objectAt(schema, 'properties')).map(([name, field]) => {
    const needed = required.has(name) ? ', <strong>required</strong>' : '';
    const description = textAt(field, 'description');
    const about = description === '' ? '' : `: ${escaped(description)}`;
    const inner = nested(field);
    const below = inner === null ? '' : fields(inner);
    return `<li><code>${escaped(name)}</code> ${typeOf(field)}${needed}${about}${below}</li>`;
  });
  return items.length === 0 ? '' : `<ul class="fields">${items.join('')}</ul>`;
}

/** @returns the schema as HTML; named schemas inside it are links, never repeated */
export function schemaHtml(schema: Json | undefined): string {
  const inner = nested(schema);
  return `${typeOf(schema)}${inner === null ? '' : fields(inner)}`;
}
