/**
 * Writes the types of the client, src/surfaces/client/openapi.ts, from the OpenAPI document. Its first line names the document that it
 * is made of, so that only another one is written.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject, type Json, type JsonObject } from '../language/graph/values/value.ts';
import { apiDocument } from './api-document.ts';

const TYPES = fileURLToPath(new URL('../surfaces/client/openapi.ts', import.meta.url));
const WRITER = fileURLToPath(new URL('../surfaces/client/openapi-types/write.mjs', import.meta.url));
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

const listObjects = (value: Json | undefined): readonly JsonObject[] =>
  isObject(value) ? Object.values(value).filter((inner) => isObject(inner)) : [];

/** Lists the names of the schemas that are bodies of requests. */
const listRequests = (document: JsonObject): readonly string[] =>
  listObjects(document['paths'])
    .flatMap((operations) => listObjects(operations))
    .flatMap(({ requestBody }) => (isObject(requestBody) ? listObjects(requestBody['content']) : []))
    .flatMap(({ schema }) => {
      const ref = isObject(schema) ? schema['$ref'] : undefined;
      return typeof ref === 'string' ? [ref.replace('#/components/schemas/', '')] : [];
    });

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

/** Returns the document as the generator gets it. */
function describeTypes(): string {
  const document = forTypes(JSON.parse(JSON.stringify(apiDocument())) as JsonObject) as JsonObject;
  const { schemas } = document['components'] as { readonly schemas: Record<string, Json> };
  for (const name of listRequests(document)) schemas[name] = narrowDefinitions(schemas[name] ?? {});
  schemas['Json'] = JSON_VALUE;
  schemas[SAVED_DRAFT] = {
    type: 'object',
    description: 'A draft with any content: of the service, or by `toDraft`',
  };
  return JSON.stringify(document);
}

/** Returns the first line of the types that are made of a document. */
const writeHead = (document: string): string =>
  `/** Written by \`npm run generate\` from the OpenAPI document; do not edit. ${createHash('sha256')
    .update(document)
    .update(readFileSync(WRITER))
    .digest('hex')} */`;

const readHead = (): string | null =>
  existsSync(TYPES) ? (readFileSync(TYPES, 'utf8').split('\n', 1)[0] ?? null) : null;

/** Returns whether the types are made of the document of these sources; the generator does not run. */
export const areTypesCurrent = (): boolean => readHead() === writeHead(describeTypes());

/**
 * Writes the types where they are of another document. The generator takes seconds.
 * @throws Error of the generator
 */
export function writeClientTypes(): void {
  const document = describeTypes();
  const head = writeHead(document);
  if (readHead() === head) return;
  const types = execFileSync(process.execPath, [WRITER], {
    input: document,
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
  });
  // Renamed into place: a compiler that reads meanwhile sees the types as a whole.
  const draft = `${TYPES}.${process.pid}`;
  writeFileSync(draft, `${head}\n${types}`);
  renameSync(draft, TYPES);
}
