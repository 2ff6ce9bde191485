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
  readonly apply: (schema: Json, spot: Spot) => SchemaIssue[];
}
/** The value being checked; `refs` counts the `$ref`s followed so far. */
export interface Spot<Value extends Json = Json> {
  readonly value: Value;
  readonly path: Path;
  readonly refs: number;
}

export function issue(spot: Spot, type: string, message: string): SchemaIssue {
  return { path: [...spot.path], message, type };
}

export function child(spot: Spot, key: string | number, value: Json): Spot {
  return { value, path: [...spot.path, key], refs: spot.refs };
}

/** Returns an issue when the schema has a limit under `key` that the value breaks. */
export function checkBound(
  schema: JsonObject,
  key: string,
  { holds, say }: { holds: (limit: number) => boolean; say: (limit: number) => SchemaIssue },
): SchemaIssue[] {
  const limit = ownValue(schema, key);
  return typeof limit === 'number' && !holds(limit) ? [say(limit)] : [];
}
