/** Reads YAML 1.2, and the front matter before a text. */
import { parseDocument } from 'yaml';
import { isLongInteger } from '../../../language/graph/values/exact-json.ts';
import { setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import { checkDepth } from './limits.ts';

/** Aliases multiply what they name; the library counts how often all of them would be written out. */
const MAX_ALIASES = 100;
const MAX_DEPTH = 64;
const FRONT_MATTER = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

const invalidYaml = (message: string): ExtractionFailed =>
  new ExtractionFailed('invalid_yaml', `The YAML cannot be read: ${message.slice(0, 300)}`);

/** Keys are texts in JSON: lists and maps, which YAML admits as keys, are written as JSON. */
const toKey = (key: unknown): string =>
  typeof key === 'string' ? key : (JSON.stringify(typeof key === 'bigint' ? Number(key) : key) ?? '');

/** Copies a value of the library as JSON: integers with all their digits, keys as texts. */
function toJson(value: unknown, depth: number): Json {
  checkDepth(depth, MAX_DEPTH);
  if (typeof value === 'bigint') return isLongInteger(String(value)) ? String(value) : Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Map) {
    const object: JsonObject = {};
    for (const [key, item] of value as Map<unknown, unknown>)
      setOwn(object, toKey(key), toJson(item, depth + 1));
    return object;
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** @throws ExtractionFailed `invalid_yaml`, `too_deep` */
export function parseYaml(text: string): Json {
  try {
    const document = parseDocument(text, { intAsBigInt: true, logLevel: 'error' });
    const [error] = document.errors;
    if (error !== undefined) throw invalidYaml(error.message);
    return toJson(document.toJS({ maxAliasCount: MAX_ALIASES, mapAsMap: true }), 0);
  } catch (error) {
    if (error instanceof ExtractionFailed) throw error;
    // The library recurses over levels, and refuses aliases by an error of its own.
    if (error instanceof RangeError) checkDepth(Infinity, MAX_DEPTH);
    throw invalidYaml(error instanceof Error ? error.message : '');
  }
}

/** @returns the values before the text, and the text; no values where there are none */
export function parseFrontMatter(text: string): JsonObject {
  const found = FRONT_MATTER.exec(text);
  if (found === null) return { data: {}, content: text };
  return { data: parseYaml(found[1] ?? '') ?? {}, content: text.slice(found[0].length) };
}
