/**
 * Warnings about a request body in its answer: unknown fields, because a misspelt field would be ignored silently (SPEC
 * API-unknown-fields), and numbers that a double cannot hold.
 */
import { z } from 'zod';
import type { ExactJson } from '../../language/graph/values/exact-json.ts';
import type { Path } from '../../language/graph/template/template-scanner.ts';
import { shortenKeys } from '../../language/graph/values/cut-text.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { ABOUT_LOC } from './fields.ts';

/** Maximum number of warnings of each kind. */
const MAX_WARNINGS = 20;

const bodyWarning = z
  .looseObject({
    code: z
      .enum(['unknown_field', 'number_as_text', 'number_rounded'])
      .meta({ description: 'Stable code for programs' }),
    message: z.string().meta({ description: 'The affected field and what happened to it, human-readable' }),
    loc: z.array(z.string()).meta({ description: ABOUT_LOC }),
  })
  .meta({ id: 'BodyWarning' });
export type BodyWarning = z.output<typeof bodyWarning>;

/** Schema of the field `warnings` of answers. */
export const bodyWarnings = z.array(bodyWarning).optional().meta({
  description:
    'Unknown fields of the body that were ignored, integers that were stored as text to preserve their digits, and decimals that were rounded',
});

/**
 * Warns of fields that an object schema inside `schema` drops from `body`.
 * @param record the schema of the answer: clients may send its fields back, so they cause no warning
 */
export function warnOfUnknownFields(schema: z.ZodType, body: Json, record: unknown): BodyWarning[] {
  const kept = record instanceof z.ZodObject ? record.shape : {};
  const warnings: BodyWarning[] = [];
  for (const dropped of findDroppedPaths(schema, body, [])) {
    const [first = '', ...inner] = dropped;
    if (inner.length === 0 && Object.hasOwn(kept, first)) continue;
    const path = shortenKeys(dropped);
    warnings.push({
      code: 'unknown_field',
      message: `${path.join('.')} is an unknown field and was ignored`,
      loc: ['body', ...path],
    });
    // The rest is not looked for: a body may have hundreds of thousands.
    if (warnings.length === MAX_WARNINGS) break;
  }
  return warnings;
}

/** Warns of each number of a body that became a text or was rounded. */
export function warnOfBodyNumbers({ texts, rounded }: ExactJson): BodyWarning[] {
  const warn = (code: BodyWarning['code'], place: Path, consequence: string): BodyWarning => {
    const path = shortenKeys(place);
    const message = `${path.join('.')} has more digits than a number can hold, so it was ${consequence}`;
    return { code, message, loc: ['body', ...path.map(String)] };
  };
  return [
    ...texts.slice(0, MAX_WARNINGS).map((path) => warn('number_as_text', path, 'stored as text')),
    ...rounded.slice(0, MAX_WARNINGS).map((path) => warn('number_rounded', path, 'rounded')),
  ];
}

function* findDroppedPaths(
  schema: z.ZodType,
  value: Json,
  at: readonly string[],
): Generator<readonly string[]> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    yield* findDroppedPaths(schema.unwrap() as z.ZodType, value, at);
    return;
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return;
  const { shape } = schema as z.ZodObject<Record<string, z.ZodType>>;
  // A loose schema keeps other keys, and a strict one has already refused them.
  const drops = schema.def.catchall === undefined;
  for (const key in value satisfies JsonObject) {
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (inner !== undefined) yield* findDroppedPaths(inner, value[key] ?? null, [...at, key]);
    else if (drops) yield [...at, key];
  }
}
