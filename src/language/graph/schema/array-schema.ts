/** The keywords of a JSON Schema for arrays. */
import { canonicalJson } from '../values/canonical-json.ts';
import { measureJson } from '../template/render-budget.ts';
import {
  MAX_ISSUES,
  checkBound,
  child,
  issue,
  type Check,
  type SchemaIssue,
  type Location,
} from './schema-check.ts';
import { ownValue, type Json, type JsonObject } from '../values/value.ts';

/** Steps per character of the canonical form: writing and sorting one takes 30 ns. */
const STEPS_PER_CANONICAL_CHAR = 2;

export function checkArray(schema: JsonObject, location: Location<Json[]>, check: Check): SchemaIssue[] {
  const { value } = location;
  const issues = [
    ...checkBound(schema, 'minItems', {
      holds: (limit) => value.length >= limit,
      toIssue: (limit) => issue(location, 'min_items', `Must have at least ${limit} items`),
    }),
    ...checkBound(schema, 'maxItems', {
      holds: (limit) => value.length <= limit,
      toIssue: (limit) => issue(location, 'max_items', `Must have at most ${limit} items`),
    }),
  ];
  if (ownValue(schema, 'uniqueItems') === true) {
    const { chars } = measureJson(value, Number.POSITIVE_INFINITY);
    check.engine.work.spend(chars * STEPS_PER_CANONICAL_CHAR);
    if (new Set(value.map(canonicalJson)).size < value.length)
      issues.push(issue(location, 'unique_items', 'Must not repeat an item'));
  }
  const prefix = ownValue(schema, 'prefixItems');
  const items = ownValue(schema, 'items');
  value.forEach((item, index) => {
    const own = Array.isArray(prefix) && index < prefix.length ? prefix[index] : items;
    if (own !== undefined && issues.length < MAX_ISSUES)
      issues.push(...check.apply(own, child(location, index, item)));
  });
  return [...issues, ...checkContained(schema, location, check)];
}

function checkContained(schema: JsonObject, location: Location<Json[]>, check: Check): SchemaIssue[] {
  const wanted = ownValue(schema, 'contains');
  if (wanted === undefined) return [];
  const found = location.value.filter(
    (item, index) => check.apply(wanted, child(location, index, item)).length === 0,
  );
  const limits = { minContains: 1, ...schema };
  return [
    ...checkBound(limits, 'minContains', {
      holds: (limit) => found.length >= limit,
      toIssue: (limit) =>
        issue(location, 'min_contains', `Must have at least ${limit} items of the required form`),
    }),
    ...checkBound(limits, 'maxContains', {
      holds: (limit) => found.length <= limit,
      toIssue: (limit) =>
        issue(location, 'max_contains', `Must have at most ${limit} items of the counted form`),
    }),
  ];
}
