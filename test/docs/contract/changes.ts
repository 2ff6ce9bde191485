/** What differs between two OpenAPI documents, as a client sees it: schemas are compared where a request or an answer uses them. */
import { isObject, type Json, type JsonObject } from '../../../src/language/graph/values/value.ts';
import { compareOptions, readOptions, type Option } from './options.ts';

/** `taken`: the client writes the value; `given`: it reads it. */
export type Direction = 'taken' | 'given';

export interface Change {
  readonly kind: 'added' | 'changed' | 'removed';
  /** A program that works with the document before may fail with the one after. */
  readonly isBreaking: boolean;
  /** The schema or the operation, by the names that a changelog may call it. */
  readonly owners: readonly string[];
  /** The name of the field or parameter; null for the whole. */
  readonly field: string | null;
  readonly text: string;
}

/** Where a comparison stands: a named schema or a part of an operation, and the field within it. */
interface Place {
  readonly owners: readonly string[];
  readonly field: string;
  readonly direction: Direction;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const readObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const readList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Pairs the members of two objects by name. */
const pairMembers = (
  before: JsonObject,
  after: JsonObject,
): (readonly [name: string, before: Json | undefined, after: Json | undefined])[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => [
    name,
    before[name],
    after[name],
  ]);

class Comparison {
  readonly changes: Change[] = [];
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  /** Schemas refer to themselves, and most are used by many operations. */
  readonly #seen = new Set<string>();

  constructor(before: JsonObject, after: JsonObject) {
    this.#before = before;
    this.#after = after;
  }

  run(): readonly Change[] {
    const { paths: before } = this.#before;
    const { paths: after } = this.#after;
    for (const [path, old, current] of pairMembers(readObject(before), readObject(after)))
      for (const method of METHODS)
        this.#compareOperations(
          `${method.toUpperCase()} ${path}`,
          readObject(old)[method],
          readObject(current)[method],
        );
    const sent = pairMembers(readObject(this.#before['webhooks']), readObject(this.#after['webhooks']));
    for (const [name, old, current] of sent)
      this.#compareSent(name, readObject(old)['post'], readObject(current)['post']);
    this.#compareNames();
    return this.changes;
  }

  #add(place: Place, kind: Change['kind'], isBreaking: boolean, what: string): void {
    const [owner = ''] = place.owners;
    const text = `${owner}${place.field}${place.direction === 'taken' ? '' : ' (answers)'}: ${what}`;
    if (!this.changes.some((change) => change.text === text))
      this.changes.push({ kind, isBreaking, owners: place.owners, field: readFieldName(place.field), text });
  }

  /** Names of schemas are those of types in generated clients. */
  #compareNames(): void {
    const read = (document: JsonObject): JsonObject =>
      readObject(readObject(document['components'])['schemas']);
    for (const [name, old, current] of pairMembers(read(this.#before), read(this.#after))) {
      const place: Place = { owners: [name], field: '', direction: 'taken' };
      if (old === undefined) this.#add(place, 'added', false, 'new schema');
      if (current === undefined) this.#add(place, 'removed', true, 'schema removed');
    }
  }

  #compareOperations(name: string, before: Json | undefined, after: Json | undefined): void {
    if (before === undefined && after === undefined) return;
    const [old, current] = [readObject(before), readObject(after)];
    const ids = [current['operationId'], old['operationId']].filter((id) => typeof id === 'string');
    const place: Place = { owners: [...new Set([name, ...ids])], field: '', direction: 'taken' };
    if (before === undefined) return this.#add(place, 'added', false, 'new operation');
    if (after === undefined) return this.#add(place, 'removed', true, 'operation removed');
    if (old['operationId'] !== current['operationId'])
      this.#add(place, 'changed', true, `operationId is ${String(current['operationId'])}`);
    this.#compareParameters(place, readList(old['parameters']), readList(current['parameters']));
    this.#compareBodies(place, old['requestBody'], current['requestBody']);
    this.#compareAnswers(place, readObject(old['responses']), readObject(current['responses']));
  }

  /** A request that the service sends is an answer to whoever receives it. */
  #compareSent(name: string, before: Json | undefined, after: Json | undefined): void {
    const place: Place = { owners: [name], field: '', direction: 'given' };
    if (before === undefined) return this.#add(place, 'added', false, 'new event');
    if (after === undefined) return this.#add(place, 'removed', true, 'event removed');
    const read = (operation: Json): JsonObject =>
      readObject(readObject(readObject(operation)['requestBody'])['content']);
    this.#compareContents(place, read(before), read(after));
  }

  #compareParameters(place: Place, before: readonly Json[], after: readonly Json[]): void {
    const byName = (list: readonly Json[]): JsonObject =>
      Object.fromEntries(
        list.map((each) => [`${String(readObject(each)['in'])} ${String(readObject(each)['name'])}`, each]),
      );
    for (const [name, old, current] of pairMembers(byName(before), byName(after))) {
      const at = { ...place, field: ` ${name}` };
      const isRequired = readObject(current)['required'] === true;
      if (old === undefined) this.#add(at, 'added', isRequired, isRequired ? 'new, required' : 'new');
      else if (current === undefined) this.#add(at, 'removed', true, 'removed');
      else {
        if (isRequired && readObject(old)['required'] !== true) this.#add(at, 'changed', true, 'is required');
        this.compare(at, readObject(readObject(old)['schema']), readObject(readObject(current)['schema']));
      }
    }
  }

  #compareBodies(place: Place, before: Json | undefined, after: Json | undefined): void {
    const at = { ...place, field: ' body' };
    const isRequired = readObject(after)['required'] === true;
    if (before === undefined && after !== undefined) this.#add(at, 'added', isRequired, 'new');
    if (before !== undefined && after === undefined) this.#add(at, 'removed', true, 'removed');
    if (before === undefined || after === undefined) return;
    if (isRequired && readObject(before)['required'] !== true) this.#add(at, 'changed', true, 'is required');
    this.#compareContents(
      at,
      readObject(readObject(before)['content']),
      readObject(readObject(after)['content']),
    );
  }

  #compareAnswers(place: Place, before: JsonObject, after: JsonObject): void {
    for (const [status, old, current] of pairMembers(before, after)) {
      const at: Place = { ...place, field: ` ${status}`, direction: 'given' };
      const isSuccess = status.startsWith('2');
      if (old === undefined) this.#add(at, 'added', false, 'new status');
      else if (current === undefined) this.#add(at, 'removed', isSuccess, 'status removed');
      else {
        const [was, is] = [this.#followAnswer(old, this.#before), this.#followAnswer(current, this.#after)];
        for (const [header, , left] of pairMembers(readObject(was['headers']), readObject(is['headers'])))
          if (left === undefined) this.#add(at, 'removed', true, `header ${header} removed`);
        this.#compareContents(at, readObject(was['content']), readObject(is['content']));
      }
    }
  }

  #followAnswer(answer: Json, document: JsonObject): JsonObject {
    const { $ref } = readObject(answer);
    if (typeof $ref !== 'string') return readObject(answer);
    const named = readObject(readObject(document['components'])['responses']);
    return readObject(named[$ref.slice($ref.lastIndexOf('/') + 1)]);
  }

  #compareContents(place: Place, before: JsonObject, after: JsonObject): void {
    for (const [type, old, current] of pairMembers(before, after)) {
      if (old === undefined) this.#add(place, 'added', false, `new type ${type}`);
      else if (current === undefined) this.#add(place, 'removed', true, `type ${type} removed`);
      else {
        const read = (content: Json): JsonObject => {
          const schema = readObject(readObject(content)['schema']);
          return isObject(schema['contentSchema']) ? schema['contentSchema'] : schema;
        };
        this.compare(place, read(old), read(current));
      }
    }
  }

  /** Compares two schemas at a place, each read in its own document. */
  compare(place: Place, before: JsonObject, after: JsonObject): void {
    const pairs = compareOptions(
      readOptions(before, this.#before),
      readOptions(after, this.#after),
      place.direction,
      (kind, isBreaking, what) => this.#add(place, kind, isBreaking, what),
    );
    for (const [old, current] of pairs) this.#compareOption(place, old, current);
  }

  #compareOption(place: Place, before: Option, after: Option): void {
    // A field of a named schema is told once, under the schema's name.
    const isNamed = before.name !== null && after.name !== null;
    const at = isNamed ? { ...place, owners: [after.name], field: '' } : place;
    if (isNamed) {
      const key = `${place.direction} ${before.name} ${after.name}`;
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    this.#compareBounds(at, before.schema, after.schema);
    const [item, items] = [before.schema['items'], after.schema['items']];
    if (isObject(item) && isObject(items)) this.compare({ ...at, field: `${at.field}[]` }, item, items);
    this.#compareFields(at, before.schema, after.schema);
  }

  #compareFields(place: Place, before: JsonObject, after: JsonObject): void {
    const isTaken = place.direction === 'taken';
    const [old, current] = [readObject(before['properties']), readObject(after['properties'])];
    for (const [name, was, is] of pairMembers(old, current)) {
      const at = { ...place, field: `${place.field}.${name}` };
      const wasRequired = was !== undefined && readList(before['required']).includes(name);
      const isRequired = is !== undefined && readList(after['required']).includes(name);
      if (is === undefined) this.#add(at, 'removed', true, 'removed');
      else if (was === undefined)
        this.#add(at, 'added', isTaken && isRequired, isRequired && isTaken ? 'new, required' : 'new');
      else {
        if (isTaken && isRequired && !wasRequired) this.#add(at, 'changed', true, 'is required');
        if (!isTaken && wasRequired && !isRequired) this.#add(at, 'changed', true, 'may be missing');
        this.compare(at, readObject(was), readObject(is));
      }
    }
    const [rest, others] = [before['additionalProperties'], after['additionalProperties']];
    const isClosed = others === false || after['unevaluatedProperties'] === false;
    if (isTaken && isClosed && rest !== false && before['unevaluatedProperties'] !== false)
      this.#add(place, 'changed', true, 'takes no further fields');
    if (isObject(rest) && isObject(others))
      this.compare({ ...place, field: `${place.field}.*` }, rest, others);
  }

  /** Narrower bounds refuse what was taken before; those of answers promise nothing that a program rests on. */
  #compareBounds(place: Place, before: JsonObject, after: JsonObject): void {
    if (place.direction === 'given') return;
    for (const key of ['minimum', 'minLength', 'minItems', 'minProperties', 'exclusiveMinimum'])
      if (Number(after[key] ?? -Infinity) > Number(before[key] ?? -Infinity) && after[key] !== 0)
        this.#add(place, 'changed', true, `${key} ${String(after[key])}`);
    for (const key of ['maximum', 'maxLength', 'maxItems', 'maxProperties', 'exclusiveMaximum'])
      if (Number(after[key] ?? Infinity) < Number(before[key] ?? Infinity))
        this.#add(place, 'changed', true, `${key} ${String(after[key])}`);
    for (const key of ['pattern', 'format'])
      if (after[key] !== undefined && after[key] !== before[key])
        this.#add(place, 'changed', true, `${key} ${String(after[key])}`);
  }
}

/** @returns the changes from one document to another, the breaking ones first */
export const listChanges = (before: JsonObject, after: JsonObject): readonly Change[] =>
  new Comparison(before, after)
    .run()
    .toSorted(
      (one, other) => Number(other.isBreaking) - Number(one.isBreaking) || one.text.localeCompare(other.text),
    );

/** @returns the breaking changes that no entry of a changelog names by their schema or operation, and by their field */
export function listUnnamed(changes: readonly Change[], changelog: string): readonly string[] {
  const entries = changelog.split(/^- /m);
  return changes
    .filter(
      ({ isBreaking, owners, field }) =>
        isBreaking &&
        !entries.some(
          (entry) => owners.some((owner) => names(entry, owner)) && (field === null || names(entry, field)),
        ),
    )
    .map(({ text }) => text);
}

/** Reads `url` of `.notify[].url`, and `limit` of ` query limit`; null for a body or an answer as a whole. */
function readFieldName(field: string): string | null {
  const word = /(?:\.| (?:query|path|header) )([\w-]+)[^\w]*$/.exec(field);
  return word?.[1] ?? null;
}

/** Returns whether a text has a name as a whole word. */
const names = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w/])${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?![\\w/])`).test(text);
