/** If this failed, a generated client could not tell the frames of a run or the nodes of a definition apart, and would refuse them. */
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/language/graph/values/value.ts';
import { renderOpenApi30 } from '../../src/platform/http/docs/openapi-3-0.ts';
import { apiDocument } from '../../src/processes/api-document.ts';

const PREFIX = '#/components/schemas/';
const DOCUMENTS: readonly (readonly [string, JsonObject])[] = [
  ['3.1', apiDocument()],
  ['3.0', renderOpenApi30(apiDocument())],
];

const readSchemas = (document: JsonObject): Readonly<Record<string, JsonObject>> =>
  (document['components'] as { schemas: Record<string, JsonObject> }).schemas;

/** Lists the unions of a document; rules beside fields, which generators leave out, are none. */
function listUnions(value: Json, place = ''): (readonly [place: string, union: JsonObject])[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => listUnions(inner, `${place}/${index}`));
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    key === 'example' || key === 'examples' ? [] : listUnions(each, `${place}/${key}`),
  );
  const isUnion = Array.isArray(value['oneOf']) && value['properties'] === undefined;
  return isUnion ? [[place, value], ...inner] : inner;
}

const follow = (schema: Json | undefined, schemas: Readonly<Record<string, JsonObject>>): JsonObject => {
  if (!isObject(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === 'string' ? (schemas[$ref.slice(PREFIX.length)] ?? {}) : schema;
};

/** Reads the only value of a schema; undefined for one with several. */
function readOnlyValue(schema: JsonObject): Json | undefined {
  const { const: value, enum: values } = schema;
  if (value !== undefined) return value;
  return Array.isArray(values) && values.length === 1 ? values[0] : undefined;
}

test.each(DOCUMENTS)(
  'OpenAPI %s: each union has a discriminator that maps each alternative, which requires its one value',
  (_, document) => {
    const schemas = readSchemas(document);
    const unions = listUnions(document);
    expect(unions.map(([place]) => place)).toEqual(
      expect.arrayContaining(['/components/schemas/RunEvent', '/components/schemas/Node']),
    );
    for (const [place, { oneOf, discriminator }] of unions) {
      const { propertyName, mapping } = discriminator as {
        readonly propertyName: string;
        readonly mapping: Readonly<Record<string, string>>;
      };
      const refs = (oneOf as { readonly $ref?: string }[]).map(({ $ref }) => $ref);
      expect(Object.values(mapping).toSorted(), place).toEqual(refs.toSorted());
      for (const [value, $ref] of Object.entries(mapping)) {
        const { required, properties } = follow({ $ref }, schemas);
        expect(required, `${place} ${$ref}`).toContain(propertyName);
        const tag = follow((properties as JsonObject)[propertyName], schemas);
        expect(readOnlyValue(tag), `${place} ${$ref}`).toBe(value);
      }
    }
  },
);

test('OpenAPI 3.0: the value of a discriminator is an enumeration with a name, whose constant no other has', () => {
  const schemas = readSchemas(renderOpenApi30(apiDocument()));
  const constants: unknown[] = [];
  for (const [place, { discriminator }] of listUnions(schemas)) {
    const { propertyName, mapping } = discriminator as {
      readonly propertyName: string;
      readonly mapping: Readonly<Record<string, string>>;
    };
    for (const $ref of Object.values(mapping)) {
      const { properties } = follow({ $ref }, schemas);
      const tag = (properties as JsonObject)[propertyName] as JsonObject;
      expect(Object.keys(tag), `${place} ${$ref}`).toEqual(['$ref']);
      constants.push(...(follow(tag, schemas)['x-enum-varnames'] as string[]));
    }
  }
  expect(constants.length).toBeGreaterThan(50);
  expect(new Set(constants).size).toBe(constants.length);
});

test('OpenAPI 3.0: a value of any kind has no name, because ogen writes a key without a value for a name that is not set; and no reference is to nothing', () => {
  const document = renderOpenApi30(apiDocument());
  const schemas = readSchemas(document);
  const kinds = ['$ref', 'type', 'enum', 'allOf', 'anyOf', 'oneOf'];
  expect(
    Object.keys(schemas).filter((name) => kinds.every((kind) => !(kind in (schemas[name] ?? {})))),
  ).toEqual([]);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(references.map(([, name = '']) => name).filter((name) => !(name in schemas))).toEqual([]);
  // In its place the words of the reference win over those of the schema.
  const { properties } = schemas['StateField'] ?? {};
  expect((properties as JsonObject)['default']).toEqual({ description: 'Initial value of the field' });
});
