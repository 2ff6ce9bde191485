/** The alternatives of a schema: what a value may be, whether the document says it by a list of types, a union or one schema. */
import { isObject, type Json, type JsonObject } from '../../../src/language/graph/values/value.ts';
import type { Change, Direction } from './changes.ts';

const PREFIX = '#/components/schemas/';

/** One alternative of a schema. */
export interface Option {
  /** Tells the alternatives of one schema apart: the value of the discriminator, the type, or the name. */
  readonly key: string;
  readonly type: string;
  /** The name of the schema in the document; null for one without. */
  readonly name: string | null;
  /** Whether the alternatives have a discriminator, by which a program may pass over one that it does not know. */
  readonly isTagged: boolean;
  readonly schema: JsonObject;
}

interface Named {
  readonly name: string | null;
  readonly schema: JsonObject;
}

/** Follows references to the last one, whose name the schema has. */
function follow(schema: JsonObject, document: JsonObject, name: string | null = null): Named {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return { name, schema };
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, JsonObject>> };
  const target = $ref.slice(PREFIX.length);
  return follow(schemas[target] ?? {}, document, target);
}

/** Merges the parts of an `allOf`. A union among them stays apart: the document has none beside shared fields but those below. */
function mergeParts(schema: JsonObject, document: JsonObject): JsonObject {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = [...allOf.filter((part) => isObject(part)).map((part) => follow(part, document).schema), own];
  const union = parts.find(({ oneOf }) => Array.isArray(oneOf));
  if (union !== undefined) return union;
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonObject,
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  };
}

const readType = (schema: JsonObject): string => {
  const { type, const: value, enum: values, properties } = schema;
  if (typeof type === 'string') return type;
  if (properties !== undefined) return 'object';
  const sample = value ?? (Array.isArray(values) ? values[0] : undefined);
  return sample === undefined ? 'any' : typeof sample;
};

/** Reads the value of a discriminator that leads to a reference; undefined for a union without one. */
function readTag(union: JsonObject, ref: Json | undefined): string | undefined {
  const { discriminator } = union;
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return undefined;
  return Object.entries(discriminator['mapping']).find(([, target]) => target === ref)?.[0];
}

/** @returns the alternatives of a schema, those of inner unions among them */
export function readOptions(schema: JsonObject, document: JsonObject, tag?: string): readonly Option[] {
  const { name, schema: followed } = follow(schema, document);
  const merged = mergeParts(followed, document);
  const { anyOf, oneOf, type } = merged;
  const union = Array.isArray(oneOf) ? oneOf : merged['properties'] === undefined ? anyOf : undefined;
  if (Array.isArray(union))
    return union
      .filter((each) => isObject(each))
      .flatMap((each) => readOptions(each, document, readTag(merged, each['$ref'])));
  if (Array.isArray(type))
    return type.flatMap((each) => readOptions({ ...merged, type: each }, document, tag));
  const read = readType(merged);
  return [{ key: tag ?? name ?? read, type: read, name, isTagged: tag !== undefined, schema: merged }];
}

/** Tells one difference. */
export type Tell = (kind: Change['kind'], isBreaking: boolean, what: string) => void;

const isAny = (options: readonly Option[]): boolean => options.some(({ type }) => type === 'any');

const readValues = ({ const: value, enum: values }: JsonObject): readonly Json[] | null =>
  Array.isArray(values) ? values : value === undefined ? null : [value];

/** Compares the values of an enumeration. Those of answers may grow, as the API's README says. */
function compareValues(before: Option, after: Option, direction: Direction, tell: Tell): void {
  const [old, current] = [readValues(before.schema), readValues(after.schema)];
  if (old === null && current === null) return;
  if (old === null || current === null) {
    const isNarrowed = old === null;
    return tell(
      'changed',
      isNarrowed === (direction === 'taken'),
      isNarrowed ? 'has fixed values' : 'has any value',
    );
  }
  const words = (values: readonly Json[]): string => values.map((value) => JSON.stringify(value)).join(', ');
  const removed = old.filter((value) => !current.includes(value));
  const added = current.filter((value) => !old.includes(value));
  if (removed.length > 0) tell('changed', direction === 'taken', `without ${words(removed)}`);
  if (added.length > 0) tell('changed', false, `also ${words(added)}`);
}

/**
 * Compares the alternatives of two schemas.
 * @returns those that both have, to be compared further
 */
export function compareOptions(
  before: readonly Option[],
  after: readonly Option[],
  direction: Direction,
  tell: Tell,
): readonly (readonly [before: Option, after: Option])[] {
  if (isAny(before) !== isAny(after)) {
    const isNarrowed = isAny(before);
    tell(
      'changed',
      isNarrowed === (direction === 'taken'),
      isNarrowed ? 'is no longer any value' : 'is any value',
    );
    return [];
  }
  const pairs = pairOptions(before, after);
  const [paired, met] = [new Set(pairs.map(([old]) => old)), new Set(pairs.map(([, current]) => current))];
  for (const option of before)
    if (!paired.has(option)) tell('changed', direction === 'taken', `no longer ${option.key}`);
  for (const option of after)
    if (!met.has(option)) tell('changed', direction === 'given' && !option.isTagged, `may be ${option.key}`);
  for (const [old, current] of pairs) compareValues(old, current, direction, tell);
  return pairs;
}

/** Pairs alternatives by key; what is left by type, when it is one of each: a schema with another name. */
function pairOptions(
  before: readonly Option[],
  after: readonly Option[],
): readonly (readonly [before: Option, after: Option])[] {
  const pairs: (readonly [Option, Option])[] = [];
  const isFree = (option: Option): boolean => !pairs.some((pair) => pair.includes(option));
  for (const property of ['key', 'type'] as const)
    for (const old of before) {
      if (!isFree(old)) continue;
      const match = after.find((current) => isFree(current) && current[property] === old[property]);
      if (match !== undefined) pairs.push([old, match]);
    }
  return pairs;
}
