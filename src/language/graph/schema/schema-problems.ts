/** Finds what is wrong with a JSON Schema itself: no value fits an unknown type, and a misshapen keyword would be ignored. */
import type { Path } from '../template/template-scanner.ts';
import { isObject, type Json, type JsonObject } from '../values/value.ts';
import { resolveReference } from './json-schema.ts';

interface SchemaProblem {
  readonly path: Path;
  readonly message: string;
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isText = (value: Json): boolean => typeof value === 'string';
const isCount = (value: Json): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isNumber = (value: Json): boolean => typeof value === 'number';
const isSchema = (value: Json): boolean => isObject(value) || typeof value === 'boolean';
const isSchemaList = (value: Json): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: Json): boolean => isObject(value) && Object.values(value).every(isSchema);

type Rule = readonly [test: (value: Json) => boolean, words: string];

const COUNT: Rule = [isCount, 'must be a whole number from 0'];
const NUMBER: Rule = [isNumber, 'must be a number'];
const SCHEMA: Rule = [isSchema, 'must be a schema'];
const SCHEMA_LIST: Rule = [isSchemaList, 'must be a list of schemas'];
const SCHEMA_MAP: Rule = [isSchemaMap, 'must be an object of schemas'];

/** The keywords that json-schema.ts reads, as JSON Schema 2020-12 defines them. */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['type', [isType, `must be one of ${TYPES.join(', ')}, or a list of them`]],
  ['enum', [Array.isArray, 'must be a list of the allowed values']],
  ['required', [(value) => Array.isArray(value) && value.every(isText), 'must be a list of names']],
  ['properties', SCHEMA_MAP],
  ['patternProperties', SCHEMA_MAP],
  ['$defs', SCHEMA_MAP],
  ['definitions', SCHEMA_MAP],
  ['allOf', SCHEMA_LIST],
  ['anyOf', SCHEMA_LIST],
  ['oneOf', SCHEMA_LIST],
  ['prefixItems', SCHEMA_LIST],
  ['items', [(value) => isSchema(value) || isSchemaList(value), 'must be a schema, or a list of schemas']],
  ['additionalProperties', SCHEMA],
  ['propertyNames', SCHEMA],
  ['contains', SCHEMA],
  ['not', SCHEMA],
  ['if', SCHEMA],
  ['then', SCHEMA],
  ['else', SCHEMA],
  ['minimum', NUMBER],
  ['maximum', NUMBER],
  ['exclusiveMinimum', NUMBER],
  ['exclusiveMaximum', NUMBER],
  ['multipleOf', [(value) => typeof value === 'number' && value > 0, 'must be a number above 0']],
  ['minLength', COUNT],
  ['maxLength', COUNT],
  ['minItems', COUNT],
  ['maxItems', COUNT],
  ['minContains', COUNT],
  ['maxContains', COUNT],
  ['minProperties', COUNT],
  ['maxProperties', COUNT],
  ['pattern', [isText, 'must be a pattern']],
]);

function isType(value: Json): boolean {
  const names = Array.isArray(value) ? value : [value];
  return names.length > 0 && names.every((name) => typeof name === 'string' && TYPES.includes(name));
}

/** Lists the problems of a schema; patterns are checked elsewhere. The caller has bounded its depth. */
export function findSchemaProblems(schema: JsonObject): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const visit = (at: Json, path: Path): void => {
    if (!isObject(at)) return;
    for (const [keyword, value] of Object.entries(at)) {
      const rule = RULES.get(keyword);
      const here = [...path, keyword];
      if (keyword === '$ref' && typeof value === 'string' && resolveReference(value, schema) === undefined)
        problems.push({ path: here, message: 'refers to a definition that does not exist in the schema' });
      if (rule === undefined) continue;
      const [test, words] = rule;
      if (!test(value)) problems.push({ path: here, message: words });
      else if (test === isSchemaMap && isObject(value))
        for (const [name, inner] of Object.entries(value)) visit(inner, [...here, name]);
      else if (Array.isArray(value)) {
        if (keyword !== 'enum' && keyword !== 'type' && keyword !== 'required')
          value.forEach((inner, index) => visit(inner, [...here, index]));
      } else visit(value, here);
    }
  };
  visit(schema, []);
  return problems;
}
