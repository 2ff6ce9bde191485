/** Shared by the checks of a JSON Schema's keywords: the value at hand, its issues, the limits of a schema. */
import type { Path } from '../template/template-scanner.ts';
import { ownValue, type Json, type JsonObject } from '../values/value.ts';
import type { PatternEngine } from '../values/work-budget.ts';

export interface SchemaIssue {
  /** Path into the value; for a missing property it ends with the name of the property. */
  readonly path: (string | number)[];
  readonly message: string;
  /** Stable code: `missing`, `type`, `enum`, `minimum`, ... */
  readonly type: string;
}

export const MAX_ISSUES = 100;

export interface Check {
  readonly root: Json;
  readonly engine: PatternEngine;
  /** Applies a schema inside of the schema at hand. */
  readonly apply: (schema: Json, location: Location) => SchemaIssue[];
}
/** The value being checked; `refs` counts the `$ref`s followed so far. */
export interface Location<Value extends Json = Json> {
  readonly value: Value;
  readonly path: Path;
  readonly refs: number;
}

export function issue(location: Location, type: string, message: string): SchemaIssue {
  return { path: [...location.path], message, type };
}

export function child(location: Location, key: string | number, value: Json): Location {
  return { value, path: [...location.path, key], refs: location.refs };
}

/** Returns an issue when the schema has a limit under `key` that the value breaks. */
export function checkBound(
  schema: JsonObject,
  key: string,
  { holds, toIssue }: { holds: (limit: number) => boolean; toIssue: (limit: number) => SchemaIssue },
): SchemaIssue[] {
  const limit = ownValue(schema, key);
  return typeof limit === 'number' && !holds(limit) ? [toIssue(limit)] : [];
}
