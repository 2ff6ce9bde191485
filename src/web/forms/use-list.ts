/** A field that is a list: as it is shown, and how it is changed. */
import { parsePointer, getAt } from '../../graph/pointer.ts';
import type { Json } from '../../graph/value.ts';
import { useEditing } from '../canvas/context.ts';
import { readEntity } from './entity.ts';
import { formatFieldPointer, writeField, type FieldProps } from './write-config.ts';

interface List {
  readonly list: readonly Json[];
  /** Writes what a list becomes; `label` names the step of undo. */
  readonly change: (changed: (now: readonly Json[]) => Json[], label: string) => void;
}

const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

export function useList(props: FieldProps): List {
  const { connection } = useEditing();
  return {
    list: listIn(getAt(props.config, parsePointer(props.field.ptr))),
    change: (changed, label) => {
      // As it is now: a field that is left by the very click tells the connection before the form is drawn again.
      const now = listIn(
        getAt(readEntity(connection.view, props.entity), parsePointer(formatFieldPointer(props))),
      );
      connection.edit(writeField(connection.view, props, changed(now)), { label });
    },
  };
}
