/**
 * The root of a history entry is the workflow's record, of which the definition is one field, whoever writes it; a
 * room knows the definition alone.
 */
import type { Mirrors } from '../room/ports.ts';
import type { PatchOperation } from '../../graph/diff.ts';

/**
 * A room's patches as the history has them: below `/workflow_schema`, and with the columns that mirror the metadata
 * where the save touches it.
 */
export function historyPatches(patches: readonly PatchOperation[], mirrors: Mirrors): PatchOperation[] {
  const below = patches.map((patch): PatchOperation => ({ ...patch, path: `/workflow_schema${patch.path}` }));
  const touches = (key: string): boolean =>
    patches.some(
      ({ path }) => path === '' || path === '/metadata' || `${path}/`.startsWith(`/metadata/${key}/`),
    );
  const { name, description, version, tags } = mirrors;
  const columns = Object.entries({ name, description, version, tags }).flatMap(
    ([key, value]): PatchOperation[] =>
      value === undefined || !touches(key)
        ? []
        : [{ op: 'replace', path: `/${key}`, value: typeof value === 'string' ? value : [...value] }],
  );
  return [...below, ...columns];
}
