// Writes the types of an OpenAPI document (stdin, JSON) to stdout. A process of its own, since the generator needs TypeScript 5.
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

const ast = await openapiTS(JSON.parse(await text(process.stdin)), {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  // An object without named fields takes any.
  emptyObjectsUnknown: true,
  // stdout belongs to the types.
  silent: true,
});
process.stdout.write(astToString(ast));
