/** How a schema of the OpenAPI document is read. */
import { isObject, type Json } from '../../../language/graph/values/value.ts';

/** Keywords whose content is data, not schemas. */
export const HOLDS_VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Keywords whose content is named by the document: a property may be called `const`. */
export const HOLDS_NAMES: ReadonlySet<string> = new Set([
  'properties',
  'schemas',
  'headers',
  'paths',
  'content',
]);

export const isNull = (schema: Json): boolean => isObject(schema) && schema['type'] === 'null';
