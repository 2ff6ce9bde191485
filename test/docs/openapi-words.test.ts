/** A field of the API reference would stand without a description, or a description without a field. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { FIELD_WORDS, mapFields } from '../../src/platform/http/docs/describe-fields.ts';
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

test('each word is of a field, and stands once', () => {
  const words = FIELD_WORDS.flatMap((part) => Object.keys(part));
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  const texts = new Map(FIELD_WORDS.flatMap((part) => Object.entries(part)));
  const used = new Set(
    fieldsOf(document).flatMap(({ container, name, description }) => {
      // The options of an agent's tool stand in each of its alternatives.
      const own = `${container.replace(/^\w+AgentTool$/, 'AgentToolOptions')}.${name}`;
      const key = texts.has(own) ? own : name;
      return texts.get(key) === description ? [key] : [];
    }),
  );
  expect(words.filter((word) => !used.has(word))).toEqual([]);
});
