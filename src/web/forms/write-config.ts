/** The place of a field in the definition, its problems, and the operation that writes it. */
import type { CanvasDocument } from '../../canvas/room/document.ts';
import type { SingleOp } from '../../canvas/room/operations.ts';
import type { Problem } from '../../graph/definition.ts';
import { formatPointer, parsePointer } from '../../graph/pointer.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { readEntity, writeEntity, type Entity } from './entity.ts';
import type { Field } from './fields.ts';

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

/** Where a value of a config stands. */
type ConfigPlace = Pick<FieldProps, 'entity' | 'base'> & {
  readonly field: Pick<Field, 'ptr'>;
};

/** The pointer of a field inside its node. */
export const formatFieldPointer = ({
  base = ['config'],
  field,
}: Pick<ConfigPlace, 'base' | 'field'>): string => formatPointer([...base, ...parsePointer(field.ptr)]);

/** Writes the value of a field; undefined removes it. */
export const writeField = (
  document: CanvasDocument,
  place: ConfigPlace,
  value: Json | undefined,
): SingleOp | null => {
  const current = readEntity(document, place.entity);
  if (current === undefined) return null;
  return writeEntity(place.entity, current, { ptr: formatFieldPointer(place), value });
};

/** The problems of an entity at a pointer inside it, and below it. */
export const findProblems = (problems: readonly Problem[], ptr: string): readonly Problem[] =>
  problems.filter(({ path }) => {
    const inside = path[0] === 'nodes' || path[0] === 'edges' ? path.slice(2) : path.slice(1);
    return `/${inside.join('/')}/`.startsWith(`${ptr}/`);
  });
