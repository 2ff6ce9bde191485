/** Reads XML as values: `@name` is an attribute, `#text` the text beside them, an element that repeats a list. */
import { setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { readXmlTree, type XmlElement } from './xml-tree.ts';

function toValue({ attributes, children }: XmlElement, lists: ReadonlySet<string>): Json {
  const text = children
    .filter((child) => typeof child === 'string')
    .join('')
    .trim();
  const elements = children.filter((child) => typeof child !== 'string');
  const names = Object.keys(attributes);
  if (elements.length === 0 && names.length === 0) return text;
  const value: JsonObject = {};
  for (const name of names) setOwn(value, `@${name}`, attributes[name] ?? '');
  const byName = new Map<string, Json[]>();
  for (const element of elements) {
    const same = byName.get(element.name) ?? [];
    byName.set(element.name, same);
    same.push(toValue(element, lists));
  }
  for (const [name, values] of byName) {
    const [only = null] = values;
    setOwn(value, name, values.length === 1 && !lists.has(name) ? only : values);
  }
  if (text !== '') value['#text'] = text;
  return value;
}

/** @throws ExtractionFailed as `readXmlTree` */
export function parseXml(text: string, { lists }: Pick<ParseTask, 'lists'>): JsonObject {
  const names = new Set(lists);
  const root = readXmlTree(text, true);
  const data: JsonObject = {};
  setOwn(data, root.name, toValue(root, names));
  return { data };
}
