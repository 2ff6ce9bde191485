/** Claims on polled items (`data_claims`), as reruns take them over. */
import type { Tx } from '../../../../base/db/client.ts';

/**
 * Hands what a run was offered to the rerun that reuses its steps, in the transaction that accepts it. The next poll keeps what it has
 * been offered meanwhile.
 * @param stepIds the steps that are reused
 */
export async function handOverClaims(tx: Tx, runPk: string, stepIds: readonly string[]): Promise<void> {
  // The table is locked first, as a poll does: else it could take a claim for void before the rerun is there.
  await tx.query(
    `WITH claims AS MATERIALIZED (
       SELECT c.table_id, c.key FROM data_claims c
       WHERE c.root_run_pk IN (SELECT s.root_run_pk FROM run_steps s WHERE s.step_id = ANY ($2::uuid[]))
     ), tables AS MATERIALIZED (
       SELECT t.id FROM data_tables t WHERE t.id IN (SELECT table_id FROM claims) ORDER BY t.id FOR NO KEY UPDATE
     )
     UPDATE data_claims c SET root_run_pk = $1 FROM claims k, tables t
     WHERE c.table_id = k.table_id AND c.key = k.key AND t.id = c.table_id`,
    [runPk, stepIds],
  );
}
