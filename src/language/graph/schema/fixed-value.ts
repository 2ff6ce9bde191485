/** The value of a field that nobody types: its `default` is all that its `const` allows. */
import { ownValue, sameJson, type Json } from '../values/value.ts';

/** @returns undefined for a field that people fill in */
export function readFixedValue(schema: Json | undefined): Json | undefined {
  const value = ownValue(schema, 'const');
  return value !== undefined && sameJson(value, ownValue(schema, 'default')) ? value : undefined;
}
