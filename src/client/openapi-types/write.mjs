// Writes the types of an OpenAPI document (stdin, JSON) to stdout. A process of its own, since the generator needs TypeScript 5.
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

const document = JSON.parse(await text(process.stdin));
// Silent: stdout belongs to the types.
const ast = await openapiTS(document, { rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true });
process.stdout.write(astToString(ast));
