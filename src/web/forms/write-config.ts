/** Where a field stands and what it becomes, as an operation: what every control of a form writes by. */
import type { SingleOp } from '../../canvas/room/operations.ts';
import type { Problem } from '../../graph/definition.ts';
import { formatPointer, parsePointer, getAt } from '../../graph/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import type { Field } from './fields.ts';

export interface FieldProps {
  readonly nodeId: string;
  /** The object that the field is in. */
  readonly config: JsonObject;
  /** Where in the node that object is; its config unless given. */
  readonly base?: readonly string[];
  readonly field: Field;
  readonly problems: readonly Problem[];
  readonly isReadOnly: boolean;
}

/** Where a value of a config stands. */
type ConfigPlace = Pick<FieldProps, 'nodeId' | 'config' | 'base'> & {
  readonly field: Pick<Field, 'ptr'>;
};

/** The pointer of a field inside its node. */
export const formatFieldPointer = ({
  base = ['config'],
  field,
}: Pick<ConfigPlace, 'base' | 'field'>): string => formatPointer([...base, ...parsePointer(field.ptr)]);

/** Writes below the config; undefined takes the value away. A parent that is not there yet is written with it. */
export function writeConfig(place: ConfigPlace, value: Json | undefined): SingleOp {
  const { nodeId, config, base = ['config'] } = place;
  const [first = '', second] = parsePointer(place.field.ptr);
  const whole = formatFieldPointer(place);
  if (value === undefined) return { type: 'node:update', nodeId, unset: [whole] };
  if (second !== undefined && !isObject(getAt(config, [first]))) {
    return { type: 'node:update', nodeId, set: { [formatPointer([...base, first])]: { [second]: value } } };
  }
  return { type: 'node:update', nodeId, set: { [whole]: value } };
}

/** The problems at a pointer of a node's config, and below it. */
export const findProblems = (problems: readonly Problem[], ptr: string): readonly Problem[] =>
  problems.filter(({ path }) => {
    const at = path.indexOf('config');
    return at !== -1 && `/${path.slice(at + 1).join('/')}/`.startsWith(`${ptr}/`);
  });

export const joinMessages = (problems: readonly Problem[]): string =>
  problems.map(({ message }) => message).join(' ');
