/**
 * Problems of what a config holds in another language: JavaScript and JSON Schema. They are looked for when a definition is
 * checked and never when it runs, so that one stored by an earlier version goes on.
 */
import { findSchemaProblems } from '../graph/schema/schema-problems.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/values/value.ts';
import { findCodeProblem } from './javascript.ts';
import type { KindProblem, NodeKind } from './kind.ts';

type Path = readonly (string | number)[];

/** The values at a path in which `*` is each item of a list. */
function findAt(value: Json | undefined, pattern: readonly string[], path: Path = []): [Path, Json][] {
  const [key, ...rest] = pattern;
  if (value === undefined) return [];
  if (key === undefined) return [[path, value]];
  if (key !== '*') return findAt(ownValue(value, key), rest, [...path, key]);
  return Array.isArray(value) ? value.flatMap((item, at) => findAt(item, rest, [...path, at])) : [];
}

/** Lists the problems of a config that `kind.parse` accepts; their paths are relative to it. */
export function findTextProblems(kind: NodeKind, config: JsonObject): KindProblem[] {
  const problems: KindProblem[] = [];
  const code = kind.codeKey === undefined ? undefined : ownValue(config, kind.codeKey);
  const inCode = typeof code === 'string' ? findCodeProblem(code) : null;
  if (inCode !== null && kind.codeKey !== undefined)
    problems.push({ code: 'invalid_code', message: `${kind.codeKey}: ${inCode}`, path: [kind.codeKey] });
  const schemas = (kind.schemaPaths ?? []).flatMap((pattern) => findAt(config, pattern));
  for (const [path, schema] of schemas) {
    if (!isObject(schema)) continue;
    for (const found of findSchemaProblems(schema)) {
      const at = [...path, ...found.path];
      problems.push({ code: 'invalid_schema', message: `${at.join('.')}: ${found.message}`, path: at });
    }
  }
  return problems;
}
