/** If this failed, a program whose types were generated before a schema was renamed would no longer compile after the next generation. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { renderOpenApi30 } from '../../src/platform/http/docs/openapi-3-0.ts';
import { apiDocument } from '../../src/processes/api-document.ts';

const document = apiDocument();

const readSchemas = (document: JsonObject): Readonly<Record<string, JsonObject>> =>
  (document['components'] as { schemas: Record<string, JsonObject> }).schemas;

const isFormer = ({ description }: JsonObject): boolean => String(description).startsWith('Former name of ');

test('a former name of a schema is a deprecated reference to the schema of today, which is no reference', () => {
  const schemas = readSchemas(document);
  expect(schemas['NewSchedule']).toEqual({
    deprecated: true,
    description: 'Former name of CreateSchedule',
    $ref: '#/components/schemas/CreateSchedule',
  });
  const formers = Object.entries(schemas).filter(([, schema]) => isFormer(schema));
  expect(formers.length).toBeGreaterThanOrEqual(24);
  for (const [former, { $ref }] of formers) {
    const today = schemas[String($ref).replace('#/components/schemas/', '')];
    expect(today, former).toBeDefined();
    expect(today, former).not.toHaveProperty('$ref');
  }
});

test('no operation and no other schema uses a former name', () => {
  const formers = Object.entries(readSchemas(document)).flatMap(([name, schema]) =>
    isFormer(schema) ? [name] : [],
  );
  const text = JSON.stringify(document);
  expect(formers.filter((name) => text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
});

test('OpenAPI 3.0 has no former names, which are those of constructors in Go', () => {
  expect(Object.values(readSchemas(renderOpenApi30(document))).filter(isFormer)).toEqual([]);
});
