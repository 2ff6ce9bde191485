/** The OpenAPI 3.1 document, made from the same rows and schemas that serve the requests. */
import { z } from 'zod';
import {
  createDocument,
  type ZodObjectInput,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { VERSION } from '../config.ts';
import { LAYER_OF_CODE } from '../errors.ts';
import { referencePage } from './reference-page.ts';
import { route, type Access, type Route } from './route.ts';

const shapeA = z.looseObject({ detail: z.string() }).meta({ id: 'DetailError', description: 'Shape A' });
const shapeB = z
  .looseObject({ detail: z.looseObject({}) })
  .meta({ id: 'StructuredError', description: 'Shape B' });
const shapeC = z
  .looseObject({
    detail: z.array(
      z.looseObject({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() }),
    ),
  })
  .meta({ id: 'ValidationError', description: 'Shape C' });
const shapeD = z
  .looseObject({
    code: z.enum(Object.keys(LAYER_OF_CODE)),
    layer: z.enum(['rate', 'quota', 'credit', 'wallet']),
    key: z.string().nullable(),
    current: z.number().nullable(),
    limit: z.number().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Denial', description: 'Shape D: billing admission gate' });

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  400: 'Malformed request',
  401: 'Missing or invalid credential',
  402: 'Payment required',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Request body too large',
  422: 'Validation failed',
  429: 'Too many requests',
  500: 'Unexpected error',
  501: 'Not available in this version',
  503: 'Not available now',
};

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

/** What the guards in front of a row may answer. */
function guardReplies(row: Route): Record<number, z.ZodType> {
  const isScoped = row.access === 'organization' || row.access === 'owner_or_admin';
  return {
    ...(isScoped || row.params !== undefined ? { 400: shapeA } : {}),
    ...(row.access === 'public' ? {} : { 401: shapeA, 403: shapeA, 429: z.union([shapeA, shapeB, shapeD]) }),
    ...(row.params === undefined ? {} : { 404: shapeA }),
    ...(row.body === undefined ? {} : { 413: shapeA, 415: shapeA }),
    ...(row.body === undefined && row.query === undefined ? {} : { 422: shapeC }),
    500: shapeA,
  };
}

function responses(row: Route): ZodOpenApiResponsesObject {
  const made: ZodOpenApiResponsesObject = {};
  for (const [status, schema] of Object.entries({ ...guardReplies(row), ...row.replies })) {
    const description = DESCRIPTIONS[status] ?? 'Answer';
    const key = status as `${1 | 2 | 3 | 4 | 5}${string}`;
    made[key] =
      schema === 'event-stream'
        ? { description, content: { 'text/event-stream': { schema: { type: 'string' } } } }
        : { description, ...json(schema) };
  }
  return made;
}

const organizationHeader = z.object({
  'X-Organization-ID': z.string().meta({ format: 'uuid', description: 'The organization to act in' }),
});

const isScoped = (access: Access): boolean => access === 'organization' || access === 'owner_or_admin';

/** `/workflows/:workflow_id` as `/workflows/{workflow_id}`. */
const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function operation(row: Route): ZodOpenApiOperationObject {
  const words = row.path.split(/\W+/).filter((word) => word !== '');
  return {
    operationId: [row.method.toLowerCase(), ...words].join('_'),
    tags: [row.tag],
    summary: row.summary,
    security: row.access === 'public' ? [] : [{ bearer: [] }, { api_key: [] }],
    requestParams: {
      ...(row.params === undefined ? {} : { path: row.params as unknown as ZodObjectInput }),
      ...(row.query === undefined ? {} : { query: row.query as unknown as ZodObjectInput }),
      ...(isScoped(row.access) ? { header: organizationHeader } : {}),
    },
    ...(row.body === undefined
      ? {}
      : { requestBody: { required: row.bodyOptional !== true, ...json(row.body) } }),
    responses: responses(row),
  };
}

/** @returns the document, as plain data */
export function openApiDocument(rows: readonly Route[]): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const row of rows) {
    const path = documentPath(row.path);
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Workflow Automation Service',
      version: VERSION,
      description: 'Multi-tenant workflow automation: define, deploy and run graphs of nodes.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: { DetailError: shapeA, StructuredError: shapeB, ValidationError: shapeC, Denial: shapeD },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key or a JWT of the identity provider',
        },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
      },
    },
  });
}

/**
 * GET /openapi.json, and the pages for people at /docs and /redoc (specification, "Service probes"). The document is
 * made at the first request and kept; the pages are not part of it.
 */
export function documentRoutes(rows: readonly Route[]): readonly Route[] {
  let document: object | null = null;
  const raw: Route = route({
    method: 'GET',
    path: '/openapi.json',
    tag: 'system',
    summary: 'This document',
    access: 'public',
    replies: { 200: z.looseObject({}) },
    async handle() {
      document ??= openApiDocument([...rows, raw]);
      return { status: 200, body: document };
    },
  });
  const page = (path: '/docs' | '/redoc'): Route =>
    route({
      method: 'GET',
      path,
      tag: 'system',
      summary: 'The API reference as a page',
      access: 'public',
      replies: { 200: z.string() },
      async handle() {
        const headers = { 'Content-Type': 'text/html; charset=utf-8' };
        return { status: 200, body: referencePage([...rows, raw]), headers };
      },
    });
  return [raw, page('/docs'), page('/redoc')];
}
