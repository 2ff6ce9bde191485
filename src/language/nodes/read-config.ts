/** Parses configs of nodes with zod; problems have the path and the name of their field. */
import { z } from 'zod';
import type { RuleGroup } from '../graph/definition/definition.ts';
import { listLiteralPatterns, readRules } from '../graph/template/rules.ts';
import type { Json, JsonObject } from '../graph/values/value.ts';
import { describeRawIssue } from '../graph/schema/schema-words.ts';
import { isObject } from '../graph/values/value.ts';
import type { KindProblem } from './kind.ts';
import { findPatternProblem } from './pattern.ts';

/** Any JSON value, `null` included. A config is already JSON, so only presence is checked. */
export const anyJson = z.custom<Json>((value) => value !== undefined, 'is required');
export const jsonObject = z.custom<JsonObject>(isObject, 'must be an object');

/** The field that tells the alternatives of a union apart. */
export const discriminator = <Value extends string>(value: Value) =>
  z.literal(value).meta({ description: 'Discriminator of the alternatives' });

/** JSON Schema keywords whose values are data, not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'examples', 'enum', 'const']);

/** Adds a problem for each invalid pattern of a JSON Schema. */
function checkSchemaPatterns(
  schema: Json,
  ctx: z.core.$RefinementCtx,
  path: readonly (string | number)[],
): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, item] of Object.entries(schema)) {
    if (DATA_KEYWORDS.has(key)) continue;
    if (key === 'pattern' && typeof item === 'string') checkPattern(item, ctx, [...path, key]);
    else checkSchemaPatterns(item, ctx, [...path, key]);
    if (key === 'patternProperties' && isObject(item))
      for (const pattern of Object.keys(item)) checkPattern(pattern, ctx, [...path, key, pattern]);
  }
}

function checkPattern(pattern: string, ctx: z.core.$RefinementCtx, path: readonly (string | number)[]): void {
  const problem = findPatternProblem(pattern);
  if (problem !== null) addProblem(ctx, { code: 'invalid_pattern', message: problem, path });
}

/** A JSON Schema with valid RE2 patterns. */
export const jsonSchema = jsonObject.superRefine((schema, ctx) => checkSchemaPatterns(schema, ctx, []));

/** An optional field; missing and null are both parsed as null. */
export const orNull = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? null);

/** Adds a problem with its own code to a zod refinement. */
export function addProblem(ctx: z.core.$RefinementCtx, { code, message, path }: KindProblem): void {
  ctx.addIssue({ code: 'custom', message, path: [...path], params: { code } });
}

const toPath = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key));

/** The code of a refinement's problem; `invalid_config` for issues of zod itself. */
function readCode(issue: z.core.$ZodIssue): string {
  const given: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return typeof given === 'string' ? given : 'invalid_config';
}

function toProblem(issue: z.core.$ZodIssue): KindProblem {
  const path = toPath(issue.path);
  const field = path.length === 0 ? 'config' : path.join('.');
  return { code: readCode(issue), message: `${field}: ${issue.message}`, path };
}

/** Adds the issues of an inner parse to the outer one. */
export function addIssues(ctx: z.core.$RefinementCtx, error: z.ZodError): void {
  for (const issue of error.issues)
    addProblem(ctx, { code: readCode(issue), message: issue.message, path: toPath(issue.path) });
}

/** Parses a config for `NodeKind.parse`. */
export function readConfig<Config>(
  schema: z.ZodType<Config>,
  config: JsonObject,
): { readonly config: Config } | { readonly problems: readonly KindProblem[] } {
  const read = schema.safeParse(config, { error: describeRawIssue });
  return read.success ? { config: read.data } : { problems: read.error.issues.map(toProblem) };
}

/** The rule group of a case or a list filter (SPEC DEF-2.5); checks its literal patterns. */
export const ruleGroup = z.unknown().transform((value, ctx): RuleGroup => {
  const read = readRules(value);
  if ('problems' in read) {
    for (const { code, message, path } of read.problems) addProblem(ctx, { code, message, path });
    return z.NEVER;
  }
  for (const { pattern, path } of listLiteralPatterns(read.rules)) {
    const problem = findPatternProblem(pattern);
    if (problem !== null) addProblem(ctx, { code: 'invalid_pattern', message: problem, path });
  }
  return read.rules;
});
