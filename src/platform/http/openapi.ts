/** Builds the OpenAPI 3.1 document from the routes and schemas that serve the requests. */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOverride,
  type ZodOpenApiMediaTypeObject,
  type ZodObjectInput,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { VERSION } from '../../base/config/config.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { flattenUnions } from './docs/flatten-unions.ts';
import { addFormerNames } from './docs/former-names.ts';
import { placeDescriptions } from './docs/place-descriptions.ts';
import { separateTypes } from './docs/separate-types.ts';
import { describeHeaders, errorSchemas, listGuardRefusals, headerComponents } from './error-responses.ts';
import { isEventStream, type Access, type HeaderSpec, type ReplySchema, type Route } from './route.ts';
import { JSON_REF, describeJsonObject } from './wire.ts';

export const TITLE = 'Workflow Automation Service';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, without a body',
  400: 'Malformed request',
  402: 'Payment required',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  429: 'Too many requests',
  501: 'Not implemented',
  503: 'Service unavailable',
  504: 'Still running',
};

/** Description of each access level. */
export const NEEDS: Readonly<Record<Access, string>> = {
  public: 'No authentication is required.',
  caller: 'For any authenticated user; X-Organization-ID is not required.',
  organization: 'For owners and admins of the organization in X-Organization-ID.',
};

function describeAccess(row: Route): string {
  const gate =
    row.isGated === true ? ' Passes the billing gate, which denies before anything is written.' : '';
  const administrative =
    row.isAdministrative === true ? " Not counted by the organization's request limit." : '';
  const inferred =
    row.infersOrganization === true
      ? " Without the header the API key's organization, or the only one of the user, is meant."
      : '';
  return `${NEEDS[row.access]}${inferred}${gate}${administrative}`;
}

const toExample = (value: unknown) => (value === undefined ? {} : { example: value });

/** Describes an event stream without a `type`, because tools differ in whether that means the text or the events. */
const describeStream = (events: z.ZodType) => ({
  description: 'Server-sent events, each with JSON data that matches `contentSchema`',
  contentMediaType: 'application/json',
  contentSchema: { $ref: `#/components/schemas/${events.meta()?.id ?? 'Json'}` },
});

type MediaSchema = NonNullable<ZodOpenApiMediaTypeObject['schema']>;

function describeContent(reply: Exclude<ReplySchema, 'empty'>): readonly [type: string, schema: MediaSchema] {
  if (reply === 'text') return ['text/plain', { type: 'string' }];
  if (reply === 'jsonl') return ['application/jsonl', { type: 'string' }];
  if (reply === 'bytes') return ['application/octet-stream', { type: 'string', format: 'binary' }];
  return isEventStream(reply)
    ? ['text/event-stream', describeStream(reply.events)]
    : ['application/json', reply];
}

function describeReply(status: string, schema: ReplySchema, example: unknown): ZodOpenApiResponseObject {
  const about = {
    description: DESCRIPTIONS[status] ?? 'Response',
    headers: { ...describeHeaders(Number(status)) },
  };
  if (schema === 'empty') return about;
  const [type, shape] = describeContent(schema);
  // The example of a route with two forms is the JSON one.
  const both = isEventStream(schema) && schema.json !== undefined;
  const json = both ? { 'application/json': { schema: schema.json, ...toExample(example) } } : {};
  return { ...about, content: { ...json, [type]: { schema: shape, ...(both ? {} : toExample(example)) } } };
}

function describeResponses(row: Route): ZodOpenApiResponsesObject {
  const own = Object.entries(row.replies).map(([status, schema]) => [
    status,
    describeReply(status, schema, row.example?.replies?.[Number(status)]),
  ]);
  // A route's own description of a status has precedence over the general one.
  return { ...listGuardRefusals(row), ...Object.fromEntries(own) };
}

const isScoped = (access: Access): boolean => access === 'organization';

function toHeaderSchema(header: string | HeaderSpec): z.ZodType {
  if (typeof header === 'string') return z.string().optional().meta({ description: header });
  const { description, minLength, maxLength } = header;
  return z.string().min(minLength).max(maxLength).optional().meta({ description });
}

/** Describes the request headers of a route; null without any. */
function describeRequestHeaders(row: Route): z.ZodObject | null {
  const own = Object.entries(row.headers ?? {}).map(([name, header]) => [name, toHeaderSchema(header)]);
  const id = z.string();
  const organization = (row.infersOrganization === true ? id.optional() : id).meta({
    description: 'Id of the organization to act in',
  });
  const shape = {
    ...(isScoped(row.access) ? { 'X-Organization-ID': organization } : {}),
    ...Object.fromEntries(own),
  };
  return Object.keys(shape).length === 0 ? null : z.object(shape);
}

/** Converts `/workflows/:workflow_id` to `/workflows/{workflow_id}`. */
export const toDocumentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function describeRequestBody(row: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const required = row.bodyOptional !== true;
  if (row.upload !== undefined)
    return { requestBody: { required, content: { 'multipart/form-data': { schema: row.upload } } } };
  if (row.rawBody !== undefined) {
    const schema = describeJsonObject({ description: row.rawBody });
    const content = { 'application/json': { schema, ...toExample(row.example?.request) } };
    return { requestBody: { required, content } };
  }
  if (row.body === undefined) return {};
  const content = { 'application/json': { schema: row.body, ...toExample(row.example?.request) } };
  return { requestBody: { required, content } };
}

function describeOperation(row: Route): ZodOpenApiOperationObject {
  const header = describeRequestHeaders(row);
  return {
    operationId: row.operationId ?? '',
    tags: [row.tag],
    summary: row.summary,
    ...(row.isDeprecated === true ? { deprecated: true } : {}),
    ...(row.isRepeatable === true ? { 'x-repeatable': true } : {}),
    description: describeAccess(row),
    security: row.access === 'public' ? [] : [{ bearer: [] }, { api_key: [] }],
    requestParams: {
      ...(row.params === undefined ? {} : { path: row.params as unknown as ZodObjectInput }),
      ...(row.query === undefined ? {} : { query: row.query as unknown as ZodObjectInput }),
      ...(header === null ? {} : { header }),
    },
    ...describeRequestBody(row),
    responses: describeResponses(row),
  };
}

/** The headers of Standard Webhooks. */
const SIGNED_HEADERS = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the event, the same in every attempt' }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970 of the attempt' }),
  'webhook-signature': z
    .string()
    .meta({ description: 'Signatures as of Standard Webhooks: `v1,` and Base64' }),
});

/** Describes the requests that the service sends, by their names. */
function describeSent(rows: readonly Route[]): ZodOpenApiPathsObject {
  const sent = rows.flatMap((row) =>
    Object.entries(row.sends ?? {}).map(
      ([name, { operationId, summary, body, example }]): [string, object] => {
        const content = { 'application/json': { schema: body, example } };
        const post = {
          operationId,
          tags: [row.tag],
          summary,
          security: [],
          requestParams: { header: SIGNED_HEADERS },
          requestBody: { required: true, content },
          responses: { '2XX': { description: 'Accepted; anything else is attempted again for 24 hours' } },
        };
        return [name, { post }];
      },
    ),
  );
  return Object.fromEntries(sent) as ZodOpenApiPathsObject;
}

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;

/** Removes patterns and bounds from response schemas, where they only add length. */
function shorten(schema: Parameters<ZodOpenApiOverride>[0]['jsonSchema']): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * Leaves objects open by omitting `additionalProperties`: fields may be added, but generators turn "any other property" into
 * types that accept every typing error. Free-form values are `Json`.
 */
const leaveOpen: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  const { additionalProperties } = jsonSchema;
  const { type } = zodSchema._zod.def;
  if (io === 'output') shorten(jsonSchema);
  if (type === 'record' && isEmpty(additionalProperties)) {
    delete jsonSchema.propertyNames;
    jsonSchema.additionalProperties = JSON_REF;
  }
  if (type === 'object' && (additionalProperties !== false || io === 'output'))
    delete jsonSchema.additionalProperties;
};

interface WithSchemas {
  readonly components: { readonly schemas: Record<string, object> };
}

/**
 * Removes unused input schemas. Schemas registered by hand are rendered as input and as output (`…Output`); when nothing refers
 * to the input, as with frames, the output gets the plain name.
 */
function removeUnusedInputs(document: object): object {
  const text = JSON.stringify(document);
  const { schemas } = (JSON.parse(text) as WithSchemas).components;
  const unused = Object.keys(schemas).filter(
    (name) => Object.hasOwn(schemas, `${name}Output`) && !text.includes(`"#/components/schemas/${name}"`),
  );
  if (unused.length === 0) return document;
  const renamed = unused.reduce(
    (each, name) => each.replaceAll(`schemas/${name}Output"`, `schemas/${name}"`),
    text,
  );
  const result = JSON.parse(renamed) as WithSchemas;
  for (const name of unused) {
    result.components.schemas[name] = result.components.schemas[`${name}Output`] ?? {};
    delete result.components.schemas[`${name}Output`];
  }
  // Removed inputs may have been the only reference to other inputs.
  return removeUnusedInputs(result);
}

/** The parts of the document beside its routes. */
export interface DocumentParts {
  /** The description of each tag, in the order of the document. */
  readonly tags: Readonly<Record<string, string>>;
  /** Named schemas of other folders that the schemas of the routes refer to. */
  readonly schemas: Readonly<Record<string, object>>;
}

/** Builds the document. @throws Error for a route whose tag has no description */
export function buildOpenApiDocument(rows: readonly Route[], { tags, schemas }: DocumentParts): JsonObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const row of rows) {
    const path = toDocumentPath(row.path);
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeOperation(row) };
  }
  const used = new Set(rows.map((row) => row.tag));
  const unknown = [...used].filter((tag) => !Object.hasOwn(tags, tag));
  if (unknown.length > 0) throw new Error(`tags without a description: ${unknown.join(', ')}`);
  const events = rows.flatMap((row) =>
    Object.values(row.replies).flatMap((reply) => (isEventStream(reply) ? [reply.events] : [])),
  );
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: TITLE,
        version: VERSION,
        description: 'Multi-tenant workflow automation: define, deploy and run graphs of nodes.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(tags)
        .filter(([name]) => used.has(name))
        .map(([name, description]) => ({ name, description })),
      paths,
      webhooks: describeSent(rows),
      components: {
        schemas: {
          ...schemas,
          ...errorSchemas,
          ...Object.fromEntries(events.map((schema) => [schema.meta()?.id, schema])),
        },
        headers: headerComponents,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key or a JWT of the identity provider',
          },
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
        },
      },
    },
    { override: leaveOpen },
  );
  const separated = separateTypes(removeUnusedInputs(document) as JsonObject) as JsonObject;
  return addFormerNames(flattenUnions(placeDescriptions(separated)));
}
