/** Reads node configs with zod: unknown keys are let through, problems name their field by its path. */
import { z } from 'zod';
import type { RuleGroup } from '../graph/definition.ts';
import { listLiteralPatterns, readRules } from '../graph/rules.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { isObject } from '../graph/value.ts';
import type { KindProblem } from './kind.ts';
import { patternProblem } from './pattern.ts';

/** Any JSON value, `null` included; a config is JSON already, so there is nothing to check but presence. */
export const anyJson = z.custom<Json>((value) => value !== undefined, 'is required');
export const jsonObject = z.custom<JsonObject>(isObject, 'must be an object');

/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'examples', 'enum', 'const']);

/** Adds a problem for each `pattern` of a JSON Schema that cannot be searched: it would fail whoever is judged by it. */
function checkSchemaPatterns(
  schema: Json,
  ctx: z.core.$RefinementCtx,
  path: readonly (string | number)[],
): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, item] of Object.entries(schema)) {
    if (DATA_KEYWORDS.has(key)) continue;
    if (key !== 'pattern' || typeof item !== 'string') checkSchemaPatterns(item, ctx, [...path, key]);
    else {
      const problem = patternProblem(item);
      if (problem !== null)
        addProblem(ctx, { code: 'invalid_pattern', message: problem, path: [...path, key] });
    }
  }
}

/** A JSON Schema whose patterns can be searched. */
export const jsonSchema = jsonObject.superRefine((schema, ctx) => checkSchemaPatterns(schema, ctx, []));

/** A field that may be left out or be null; both read as null. */
export const orNull = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? null);

/** Adds a problem with a code of its own to a zod refinement. */
export function addProblem(ctx: z.core.$RefinementCtx, { code, message, path }: KindProblem): void {
  ctx.addIssue({ code: 'custom', message, path: [...path], params: { code } });
}

const pathOf = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key));

/** A stable word: the refinement's own, or `invalid_config` for what zod itself refuses. */
function codeOf(issue: z.core.$ZodIssue): string {
  const given: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return typeof given === 'string' ? given : 'invalid_config';
}

function problemOf(issue: z.core.$ZodIssue): KindProblem {
  const path = pathOf(issue.path);
  const field = path.length === 0 ? 'config' : path.join('.');
  return { code: codeOf(issue), message: `${field}: ${issue.message}`, path };
}

/** Passes the problems of an inner parse on to the outer one. */
export function addIssues(ctx: z.core.$RefinementCtx, error: z.ZodError): void {
  for (const issue of error.issues)
    addProblem(ctx, { code: codeOf(issue), message: issue.message, path: pathOf(issue.path) });
}

/** Parses a config; a shape that fits NodeKind.parse. */
export function readConfig<Config>(
  schema: z.ZodType<Config>,
  config: JsonObject,
): { readonly config: Config } | { readonly problems: readonly KindProblem[] } {
  const read = schema.safeParse(config);
  return read.success ? { config: read.data } : { problems: read.error.issues.map(problemOf) };
}

/** A rule group as conditional cases and list filters have it (SPEC DEF-2.5), its literal patterns checked. */
export const ruleGroup = z.unknown().transform((value, ctx): RuleGroup => {
  const read = readRules(value);
  if ('problems' in read) {
    for (const { code, message, path } of read.problems) addProblem(ctx, { code, message, path });
    return z.NEVER;
  }
  for (const { pattern, path } of listLiteralPatterns(read.rules)) {
    const problem = patternProblem(pattern);
    if (problem !== null) addProblem(ctx, { code: 'invalid_pattern', message: problem, path });
  }
  return read.rules;
});
