/** Where a field stands and what it becomes, as an operation: what every control of a form writes by. */
import type { DurableOp } from '../../canvas/room/operations.ts';
import type { Problem } from '../../graph/definition.ts';
import { formatPointer, parsePointer, valueAt } from '../../graph/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import type { Field } from './fields.ts';

export interface FieldProps {
  readonly nodeId: string;
  readonly config: JsonObject;
  readonly field: Field;
  readonly problems: readonly Problem[];
  readonly isReadOnly: boolean;
}

/** Where a value of a config stands. */
export interface ConfigPlace {
  readonly nodeId: string;
  readonly config: JsonObject;
  readonly ptr: string;
}

/** Writes below the config; undefined takes the value away. A parent that is not there yet is written with it. */
export function writeConfig({ nodeId, config, ptr }: ConfigPlace, value: Json | undefined): DurableOp {
  const tokens = parsePointer(ptr);
  const [first = '', second] = tokens;
  const whole = formatPointer(['config', ...tokens]);
  if (value === undefined) return { type: 'node:update', nodeId, unset: [whole] };
  if (second !== undefined && !isObject(valueAt(config, [first]))) {
    return { type: 'node:update', nodeId, set: { [formatPointer(['config', first])]: { [second]: value } } };
  }
  return { type: 'node:update', nodeId, set: { [whole]: value } };
}
