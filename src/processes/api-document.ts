/** The OpenAPI document of the whole API, for programs that do not serve it. */
import type { JsonObject } from '../language/graph/values/value.ts';
import { describeDefinition } from '../language/nodes/definition-schema.ts';
import { buildOpenApiDocument } from '../platform/http/openapi.ts';
import { allRoutes, TAGS } from './routes.ts';

/** @returns the document that GET /openapi.json answers, as plain data, made anew */
export const apiDocument = (): JsonObject =>
  buildOpenApiDocument(
    allRoutes().filter(({ operationId }) => operationId !== null),
    { tags: TAGS, schemas: describeDefinition() },
  );
