/** Writes a value as XML, the way in which the mode `parse` reads it: `@name` is an attribute, `#text` the text, a list repeats its element. */
import { isObject, type Json, type JsonObject } from '../../graph/values/value.ts';
import { writeXmlText } from '../tool/xml-body.ts';
import type { GrowingText } from './growing-text.ts';
import { XML_NAME } from './xml-name.ts';

/** Levels of elements: as deep as JSON of a request may nest. */
const MAX_DEPTH = 64;
const ATTRIBUTE = '@';
const TEXT = '#text';

/** Why a value cannot be XML. */
class NotXml extends Error {}

function readName(name: string): string {
  if (!XML_NAME.test(name)) throw new NotXml(`${JSON.stringify(name.slice(0, 80))} is no name in XML`);
  return name;
}

function escape(value: Json, place: 'content' | 'attribute'): string {
  if (typeof value === 'object' && value !== null)
    throw new NotXml('An attribute or `#text` is a list or an object, and must be a text');
  const text = writeXmlText(value === null ? '' : String(value), place);
  if (text === null) throw new NotXml('A text has characters that XML cannot contain');
  return text;
}

function writeAttributes(members: JsonObject): string {
  return Object.entries(members)
    .filter(([key, value]) => key.startsWith(ATTRIBUTE) && value !== null)
    .map(([key, value]) => ` ${readName(key.slice(ATTRIBUTE.length))}="${escape(value, 'attribute')}"`)
    .join('');
}

interface Place {
  readonly text: GrowingText;
  readonly depth: number;
}

function writeElement(name: string, value: Json, { text, depth }: Place): void {
  if (depth > MAX_DEPTH) throw new NotXml(`The value is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) throw new NotXml(`A list of ${JSON.stringify(name)} holds a list`);
  readName(name);
  if (!isObject(value)) {
    const content = escape(value, 'content');
    text.add(content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`);
    return;
  }
  text.add(`<${name}${writeAttributes(value)}`);
  const children = Object.entries(value).filter(([key]) => !key.startsWith(ATTRIBUTE));
  if (children.length === 0) {
    text.add('/>');
    return;
  }
  text.add('>');
  for (const [key, child] of children) {
    if (key === TEXT) text.add(escape(child, 'content'));
    else
      for (const one of Array.isArray(child) ? child : [child])
        writeElement(key, one, { text, depth: depth + 1 });
  }
  text.add(`</${name}>`);
}

/** The outermost element: named by the config, or by the one key of the value. */
function findRoot(value: Json, root: string | null): readonly [name: string, value: Json] {
  if (root !== null) return [root, Array.isArray(value) ? { item: value } : value];
  const [only, ...others] = isObject(value) ? Object.entries(value) : [];
  if (only === undefined || others.length > 0)
    throw new NotXml('XML has one outermost element: name it with `root`, or give an object with one key');
  return only;
}

/** @returns why the value cannot be written, or null @throws RenderTooLarge @throws WorkLimitExceeded */
export function writeXml(value: Json, root: string | null, text: GrowingText): string | null {
  try {
    text.add('<?xml version="1.0" encoding="UTF-8"?>\n');
    const [name, content] = findRoot(value, root);
    writeElement(name, content, { text, depth: 1 });
    text.add('\n');
    return null;
  } catch (error) {
    if (error instanceof NotXml) return error.message;
    throw error;
  }
}
