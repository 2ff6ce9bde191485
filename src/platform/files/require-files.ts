/** Rejects values that refer to files that the organization does not have. */
import type { Sql } from '../../base/db/client.ts';
import { invalid } from '../../base/errors.ts';
import { listFileIds } from '../../language/graph/values/file-reference.ts';
import type { Json } from '../../language/graph/values/value.ts';

/** Files that the values of one request may refer to. */
const MAX_FILES = 1_000;

/**
 * @param given the value, and where it is in the request
 * @throws ApiError 422 for a file that does not exist, also one of another organization, and for more than 1,000 files
 */
export async function requireFiles(
  sql: Sql,
  organizationId: string,
  { value, loc }: { readonly value: Json; readonly loc: readonly (string | number)[] },
): Promise<void> {
  const ids = listFileIds(value);
  if (ids.length === 0) return;
  if (ids.length > MAX_FILES)
    throw invalid([
      { loc: [...loc], msg: `Must refer to at most ${MAX_FILES} files`, type: 'too_many_files' },
    ]);
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM files WHERE organization_id = $1 AND id = ANY ($2::uuid[])',
    [organizationId, ids],
  );
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0)
    throw invalid(
      missing.map((id) => ({ loc: [...loc], msg: `File ${id} not found`, type: 'file_not_found' })),
    );
}
