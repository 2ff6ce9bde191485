/**
 * The routes of the documentation (SPEC API-probes): GET /openapi.json, the same as OpenAPI 3.0, an interactive page at /docs, and
 * a page without scripts at /redoc. Both pages load from this service only (SPEC SEC-O04).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { VERSION } from '../../../base/config/config.ts';
import { buildOpenApiDocument, TITLE, type DocumentParts } from '../openapi.ts';
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

interface DocumentationFile {
  readonly path: string;
  readonly summary: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly make: () => string | Buffer;
}

/** Creates the route of a file; its content is built at the first request and kept. */
function file({ path, summary, headers, make }: DocumentationFile): Route<unknown> {
  let body: string | Buffer | null = null;
  return route({
    ...common,
    path,
    operationId: null,
    summary,
    async handle() {
      body ??= make();
      return { status: 200, body, headers };
    },
  });
}

const asset = (path: string, type: string, make: () => string | Buffer): Route<unknown> =>
  file({
    path,
    summary: 'A file of the API reference',
    headers: { 'Content-Type': type, 'Cache-Control': `public, max-age=${ASSET_SECONDS}` },
    make,
  });

const swagger = (name: string, type: string): Route<unknown> =>
  asset(`/docs/${name}`, type, () => readFileSync(resolve(`swagger-ui-dist/${name}`)));

const page = (path: '/docs' | '/redoc', policy: string, make: () => string): Route<unknown> =>
  file({
    path,
    summary: 'The API reference',
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
    },
    make,
  });

/**
 * Creates the routes of the documentation.
 * @param rows the routes to document; those without an operationId are left out
 */
export function buildDocumentRoutes(rows: readonly Route[], parts: DocumentParts): readonly Route<unknown>[] {
  let texts: { readonly current: string; readonly older: string } | null = null;
  // Half a second of computing, once: the texts are kept, and a process has them before it listens.
  const getTexts = () => {
    if (texts !== null) return texts;
    const document = buildOpenApiDocument(listed, parts);
    texts = { current: JSON.stringify(document), older: JSON.stringify(renderOpenApi30(document)) };
    return texts;
  };
  const raw = route({
    ...common,
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'The OpenAPI document',
    example: { replies: { 200: { openapi: '3.1.1', info: { title: TITLE, version: VERSION }, paths: {} } } },
    replies: { 200: jsonObject },
    prepare: getTexts,
    async handle() {
      return { status: 200, json: getTexts().current };
    },
  });
  const older = route({
    ...common,
    path: '/openapi-3.0.json',
    operationId: null,
    summary: 'The OpenAPI document, for generators of clients that read no OpenAPI 3.1',
    async handle() {
      return { status: 200, json: getTexts().older };
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
