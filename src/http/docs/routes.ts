/**
 * The routes of the documentation (SPEC API-probes): GET /openapi.json, the same as OpenAPI 3.0, an interactive page at /docs, and
 * a page without scripts at /redoc. Both pages load from this service only (SPEC SEC-O04).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { VERSION } from '../../config/config.ts';
import type { JsonObject } from '../../graph/value.ts';
import { buildOpenApiDocument, TITLE, type NamedSchemas } from '../openapi.ts';
import { routesFor, type Route } from '../route.ts';
import { jsonObject } from '../wire.ts';
import { INITIALIZER, buildInteractivePage } from './interactive-page.ts';
import { renderOpenApi30 } from './openapi-3-0.ts';
import { buildReferencePage } from './reference-page.ts';

const route = routesFor<unknown>();

/** The base policy: no sources, frames, base address or forms; each page adds what it needs. */
const CLOSED = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Swagger UI sets style attributes and uses data: images; its requests go to this service. */
const INTERACTIVE_POLICY = `${CLOSED}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'`;
const REFERENCE_POLICY = `${CLOSED}; img-src 'self'`;

const ASSET_SECONDS = 86_400;
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const common = { method: 'GET', tag: 'system', access: 'public', replies: { 200: z.string() } } as const;
const { resolve } = createRequire(import.meta.url);

/** Creates the route of a file of a page; its content is built at the first request and kept. */
function asset(path: string, type: string, make: () => string | Buffer): Route<unknown> {
  let body: string | Buffer | null = null;
  const headers = { 'Content-Type': type, 'Cache-Control': `public, max-age=${ASSET_SECONDS}` };
  return route({
    ...common,
    path,
    operationId: null,
    summary: 'A file of the API reference',
    async handle() {
      body ??= make();
      return { status: 200, body, headers };
    },
  });
}

const swagger = (file: string, type: string): Route<unknown> =>
  asset(`/docs/${file}`, type, () => readFileSync(resolve(`swagger-ui-dist/${file}`)));

function page(path: '/docs' | '/redoc', policy: string, make: () => string): Route<unknown> {
  let body: string | null = null;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
  };
  return route({
    ...common,
    path,
    operationId: null,
    summary: 'The API reference',
    async handle() {
      body ??= make();
      return { status: 200, body, headers };
    },
  });
}

/**
 * Creates the routes of the documentation.
 * @param rows the routes to document; those without an operationId are left out
 * @param schemas named schemas that the schemas of the routes refer to
 */
export function buildDocumentRoutes(
  rows: readonly Route[],
  schemas: NamedSchemas,
): readonly Route<unknown>[] {
  let document: JsonObject | null = null;
  let rendered: JsonObject | null = null;
  const described = (): JsonObject => (document ??= buildOpenApiDocument(listed, schemas));
  const raw = route({
    ...common,
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'The OpenAPI document',
    example: { replies: { 200: { openapi: '3.1.1', info: { title: TITLE, version: VERSION }, paths: {} } } },
    replies: { 200: jsonObject },
    async handle() {
      return { status: 200, body: described() };
    },
  });
  const older = route({
    ...common,
    path: '/openapi-3.0.json',
    operationId: null,
    summary: 'The OpenAPI document, for generators of clients that read no OpenAPI 3.1',
    async handle() {
      return { status: 200, body: (rendered ??= renderOpenApi30(described())) };
    },
  });
  const listed = [...rows.filter((row) => row.operationId !== null), raw];
  return [
    raw,
    older,
    page('/docs', INTERACTIVE_POLICY, buildInteractivePage),
    swagger('swagger-ui.css', CSS),
    swagger('swagger-ui-bundle.js', JAVASCRIPT),
    swagger('favicon-32x32.png', 'image/png'),
    asset('/docs/initializer.js', JAVASCRIPT, () => INITIALIZER),
    page('/redoc', REFERENCE_POLICY, () => buildReferencePage(listed)),
  ];
}
