/** A field of the API reference would stand without a description. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { mapFields } from '../../src/platform/http/docs/place-descriptions.ts';
import { apiDocument } from '../../src/processes/api-document.ts';

const document = apiDocument();

interface Field {
  readonly container: string;
  readonly name: string;
  readonly description: unknown;
}

function fieldsOf(from: JsonObject): Field[] {
  const found: Field[] = [];
  mapFields(from, (field, container, name) => {
    found.push({ container, name, description: field['description'] });
    return field;
  });
  return found;
}

const bare = (from: JsonObject): string[] =>
  fieldsOf(from)
    .filter(({ description }) => typeof description !== 'string' || description.trim() === '')
    .map(({ container, name }) => `${container}.${name}`);

test('each field of each schema says what it means', () => {
  expect(fieldsOf(document).length).toBeGreaterThan(1_500);
  expect(bare(document)).toEqual([]);
});

test('a field without a word is found out, wherever it stands', () => {
  const schema = {
    type: 'object',
    properties: { odd: { type: 'array', items: { properties: { inner: {} } } } },
  };
  expect(bare({ components: { schemas: { Thing: schema } } })).toEqual(['odd.inner', 'Thing.odd']);
  expect(bare({ paths: { '/things': { get: { responses: { 200: { schema } } } } } })).toEqual([
    'odd.inner',
    '.odd',
  ]);
});
