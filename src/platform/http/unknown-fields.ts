/**
 * Warnings about a request body in its answer: unknown fields, because a misspelt field would be ignored silently (SPEC
 * API-unknown-fields), and numbers that were kept as text.
 */
import { z } from 'zod';
import type { ExactJson } from '../../language/graph/values/exact-json.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';

/** Maximum number of warnings of each kind. */
const MAX_WARNINGS = 20;

const bodyWarning = z
  .looseObject({
    code: z.enum(['unknown_field', 'number_as_text']),
    message: z.string(),
    loc: z.array(z.string()),
  })
  .meta({ id: 'BodyWarning' });
export type BodyWarning = z.output<typeof bodyWarning>;

/** Schema of the field `warnings` of answers. */
export const bodyWarnings = z.array(bodyWarning).optional().meta({
  description:
    'Unknown fields of the body that were ignored, and numbers that were stored as text to preserve their digits',
});

/**
 * Warns of fields that an object schema inside `schema` drops from `body`.
 * @param record the schema of the answer: clients may send its fields back, so they cause no warning
 */
export function warnOfUnknownFields(schema: z.ZodType, body: Json, record: unknown): BodyWarning[] {
  const kept = record instanceof z.ZodObject ? record.shape : {};
  return findDroppedPaths(schema, body, [])
    .filter(([first = '', ...inner]) => inner.length > 0 || !Object.hasOwn(kept, first))
    .slice(0, MAX_WARNINGS)
    .map((path) => ({
      code: 'unknown_field',
      message: `${path.join('.')} is an unknown field and was ignored`,
      loc: ['body', ...path],
    }));
}

/** Warns of each number of a body that became a text. */
export function warnOfBodyNumbers({ texts }: ExactJson): BodyWarning[] {
  return texts.slice(0, MAX_WARNINGS).map((path) => ({
    code: 'number_as_text',
    message: `${path.join('.')} has more digits than a number can hold, so it was stored as text`,
    loc: ['body', ...path.map(String)],
  }));
}

function findDroppedPaths(schema: z.ZodType, value: Json, at: readonly string[]): (readonly string[])[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findDroppedPaths(schema.unwrap() as z.ZodType, value, at);
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return [];
  const { shape } = schema as z.ZodObject<Record<string, z.ZodType>>;
  // A loose schema keeps other keys, and a strict one has already refused them.
  const drops = schema.def.catchall === undefined;
  return Object.entries(value satisfies JsonObject).flatMap(([key, item]) => {
    const path = [...at, key];
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (inner !== undefined) return findDroppedPaths(inner, item, path);
    return drops ? [path] : [];
  });
}
