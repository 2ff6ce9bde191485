/** The OpenAPI document of the whole API, as the service serves it. */
import { buildOpenApiDocument } from '../../src/platform/http/openapi.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { describeDefinition } from '../../src/language/nodes/definition-schema.ts';
import { allRoutes } from '../../src/processes/routes.ts';

/** @returns the document, as plain data, made anew */
export const apiDocument = (): JsonObject =>
  buildOpenApiDocument(
    allRoutes().filter(({ operationId }) => operationId !== null),
    describeDefinition(),
  );
