/** The OpenAPI document of the whole API, as the service serves it. */
import { buildOpenApiDocument } from '../../src/http/openapi.ts';
import type { JsonObject } from '../../src/graph/value.ts';
import { describeDefinition } from '../../src/nodes/definition-schema.ts';
import { allRoutes } from '../../src/resources/tables.ts';

/** @returns the document, as plain data, made anew */
export const apiDocument = (): JsonObject =>
  buildOpenApiDocument(
    allRoutes().filter(({ operationId }) => operationId !== null),
    describeDefinition(),
  );
