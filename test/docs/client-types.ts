/** The types of the client, written from the OpenAPI document; a seal in the first line says from which. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/language/graph/values/value.ts';
import { apiDocument } from '../support/api-document.ts';
import { ROOT } from './readmes.ts';

export const CLIENT_TYPES = 'src/surfaces/client/openapi.ts';
const WRITER = join(ROOT, 'src/surfaces/client/openapi-types/write.mjs');
const MAX_BYTES = 64 * 1024 * 1024;

const DEFINITION = '#/components/schemas/WorkflowDefinition';
/** Only in the types: write.mjs says what it is. */
const SAVED_DRAFT = 'SavedDraft';

const takesDefinition = ({ anyOf }: JsonObject): boolean =>
  Array.isArray(anyOf) && anyOf.some((each) => isObject(each) && each['$ref'] === DEFINITION);

/** Examples would be half of the file; the organization's header is said once, to the client, and not with each call. */
function forTypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(forTypes);
  if (!isObject(value)) return value;
  // Without the alternative of any object, which the generator reads from the keywords beside `anyOf`.
  if (takesDefinition(value)) return { description: value['description'] ?? '', anyOf: value['anyOf'] ?? [] };
  const isOrganization = value['in'] === 'header' && value['name'] === 'X-Organization-ID';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(name === 'example' && 'schema' in value))
      .map(([name, inner]) => [name, name === 'required' && isOrganization ? false : forTypes(inner)]),
  );
}

/** In a request the service takes any object as a definition, and tells its mistakes; a compiler tells them before. */
function narrowDefinitions(value: Json): Json {
  if (Array.isArray(value)) return value.map(narrowDefinitions);
  if (!isObject(value)) return value;
  if (takesDefinition(value))
    return {
      description: value['description'] ?? '',
      anyOf: [{ $ref: DEFINITION }, { $ref: `#/components/schemas/${SAVED_DRAFT}` }],
    };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, narrowDefinitions(inner)]));
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The names of the schemas that are bodies of requests. */
const readRequests = (document: JsonObject): string[] =>
  Object.values(document['paths'] as unknown as Paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .flatMap(({ schema: { $ref } }) =>
      typeof $ref === 'string' ? [$ref.replace('#/components/schemas/', '')] : [],
    );

/** TypeScript has a union for what the document leaves open. */
const JSON_VALUE: JsonObject = {
  description: 'Any JSON value',
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    // Inner values have no schema, else the type would refer to itself.
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: {} },
  ],
};

function documentText(): string {
  const document = forTypes(JSON.parse(JSON.stringify(apiDocument())) as JsonObject) as JsonObject;
  const { schemas } = document['components'] as { readonly schemas: Record<string, Json> };
  for (const name of readRequests(document)) schemas[name] = narrowDefinitions(schemas[name] ?? {});
  schemas['Json'] = JSON_VALUE;
  schemas[SAVED_DRAFT] = {
    type: 'object',
    description: 'A draft with any content: of the service, or by `toDraft`',
  };
  return JSON.stringify(document);
}

/** Of what the types are made from and of the types: neither can change alone. */
const seal = (document: string, types: string): string =>
  `/** Written by \`npm run docs\` from the OpenAPI document; do not edit. ${createHash('sha256')
    .update(document)
    .update(readFileSync(WRITER))
    .update(types)
    .digest('hex')} */`;

/**
 * Runs the generator, which takes seconds.
 * @returns the text of src/surfaces/client/openapi.ts as the routes are now
 */
export function clientTypes(): string {
  const document = documentText();
  const types = execFileSync(process.execPath, [WRITER], {
    input: document,
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
  });
  return `${seal(document, types)}\n${types}`;
}

/** Whether a text is what the generator would write now; told by its seal, without running the generator. */
export function isCurrent(text: string): boolean {
  const end = text.indexOf('\n');
  return text.slice(0, end) === seal(documentText(), text.slice(end + 1));
}
