/** The newest segment of a run, locked by a caller who names the run alone. */
import type { Sql } from '../../db/client.ts';
import { currentSegment, type Segment } from './segments.ts';

/** As currentSegment with its lock. @returns null when there is no such run */
export async function lockCurrentSegment(tx: Sql, rootRunPk: string): Promise<Segment | null> {
  const [run] = await tx.query<{ organizationId: string }>(
    'SELECT organization_id AS "organizationId" FROM runs WHERE id = $1',
    [rootRunPk],
  );
  return run === undefined ? null : currentSegment(tx, { ...run, rootRunPk }, true);
}
