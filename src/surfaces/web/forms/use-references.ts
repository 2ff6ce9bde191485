/** The references that completion offers in a field, read when a person types. */
import { useEditing } from '../canvas/context.ts';
import { listReferences, type Reference } from '../text/references.ts';
import { readKnownValues } from '../text/known-values.ts';
import type { DraftField } from './kept-drafts.ts';
import { useActionSchemas } from './use-action-schemas.ts';

export function useReferences(field: Pick<DraftField, 'entity' | 'ptr'>): () => readonly Reference[] {
  const { connection } = useEditing();
  const findActionSchema = useActionSchemas();
  return () => {
    const known = readKnownValues(connection.view, connection.board);
    return listReferences(connection.view, field, known, findActionSchema);
  };
}
