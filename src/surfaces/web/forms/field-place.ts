/** The place of a field in the definition, and its problems. */
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { formatPointer, parsePointer } from '../../../language/graph/values/pointer.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { Entity } from './entity.ts';
import type { Field } from '../../../language/nodes/form-field.ts';

export interface FieldProps {
  readonly entity: Entity;
  /** The object that the field is in. */
  readonly config: JsonObject;
  /** The path of that object in its entity; `config` unless given. */
  readonly base?: readonly string[];
  readonly field: Field;
  readonly problems: readonly Problem[];
  readonly isReadOnly: boolean;
}

interface Inner {
  /** From the outer field's object to the one that the inner field is in. */
  readonly path: readonly string[];
  readonly config: JsonObject;
  readonly field: Field;
}

/** Places a field in an object inside of another field's. */
export function placeInside(outer: FieldProps, { path, config, field }: Inner): FieldProps {
  const { entity, base = ['config'], isReadOnly } = outer;
  const place = { entity, config, base: [...base, ...path], field, isReadOnly };
  return { ...place, problems: findProblems(outer.problems, formatFieldPointer(place)) };
}

/** Where a value of a config stands. */
type ConfigPlace = Pick<FieldProps, 'entity' | 'base'> & {
  readonly field: Pick<Field, 'ptr'>;
};

/** The pointer of a field inside its node. */
export const formatFieldPointer = ({
  base = ['config'],
  field,
}: Pick<ConfigPlace, 'base' | 'field'>): string => formatPointer([...base, ...parsePointer(field.ptr)]);

/** The pointer of a problem inside its node, its edge, or its part of the workflow. */
export const formatProblemPointer = ({ path: [list, at, ...rest] }: Problem): string => {
  const isInside = list === 'nodes' || list === 'edges' || (list === 'state_schema' && at === 'fields');
  return formatPointer((isInside || at === undefined ? rest : [at, ...rest]).map(String));
};

/** The problems of an entity at a pointer inside it, and below it. */
export const findProblems = (problems: readonly Problem[], ptr: string): readonly Problem[] =>
  problems.filter((problem) => `${formatProblemPointer(problem)}/`.startsWith(`${ptr}/`));
