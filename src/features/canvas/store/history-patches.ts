/**
 * Converts a room's patches to those of the edit history, whose root is the workflow's record and not the definition.
 */
import type { MirroredColumns } from '../room/ports.ts';
import type { PatchOperation } from '../../../language/graph/definition/patch.ts';

/**
 * Moves patches below `/workflow_schema` and adds the mirrored columns whose metadata they touch.
 */
export function toHistoryPatches(
  patches: readonly PatchOperation[],
  mirrors: MirroredColumns,
): PatchOperation[] {
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
