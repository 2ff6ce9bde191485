/**
 * Warnings in an answer about the body that it answers: fields that no schema reads (SPEC API-unknown-fields), for a misspelt
 * field does nothing and nobody would know; and numbers that were kept as texts for their digits.
 */
import { z } from 'zod';
import type { ExactJson } from '../graph/exact-json.ts';
import { isObject, type Json, type JsonObject } from '../graph/value.ts';

/** A sender of a thousand of them is told of the first twenty. */
const MAX_WARNINGS = 20;

export const bodyWarning = z
  .looseObject({
    code: z.enum(['unknown_field', 'number_as_text']),
    message: z.string(),
    loc: z.array(z.string()),
  })
  .meta({ id: 'BodyWarning' });
export type BodyWarning = z.output<typeof bodyWarning>;

/** In answers to bodies that may have fields which are not known. */
export const bodyWarnings = z.array(bodyWarning).optional().meta({
  description:
    'Fields of the body that are not known and changed nothing, and numbers that are kept as texts for their digits',
});

/**
 * @param record what is answered: its fields may be sent back, also those that the server alone writes
 * @returns a warning for each other key that an object schema inside `schema` would drop from `body`
 */
export function warnOfUnknownFields(schema: z.ZodType, body: Json, record: unknown): BodyWarning[] {
  const kept = record instanceof z.ZodObject ? record.shape : {};
  return findDroppedPaths(schema, body, [])
    .filter(([first = '', ...inner]) => inner.length > 0 || !Object.hasOwn(kept, first))
    .slice(0, MAX_WARNINGS)
    .map((path) => ({
      code: 'unknown_field',
      message: `${path.join('.')} is not a known field: it changed nothing`,
      loc: ['body', ...path],
    }));
}

/** A warning for each number of a body that became a text. */
export function warnOfBodyNumbers({ texts }: ExactJson): BodyWarning[] {
  return texts.slice(0, MAX_WARNINGS).map((path) => ({
    code: 'number_as_text',
    message: `${path.join('.')} has more digits than a number can hold: it is kept as text`,
    loc: ['body', ...path.map(String)],
  }));
}

function findDroppedPaths(schema: z.ZodType, value: Json, at: readonly string[]): (readonly string[])[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findDroppedPaths(schema.unwrap() as z.ZodType, value, at);
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return [];
  const { shape } = schema as z.ZodObject<Record<string, z.ZodType>>;
  // What takes other keys reads them; what refuses them has refused.
  const drops = schema.def.catchall === undefined;
  return Object.entries(value satisfies JsonObject).flatMap(([key, item]) => {
    const path = [...at, key];
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (inner !== undefined) return findDroppedPaths(inner, item, path);
    return drops ? [path] : [];
  });
}
