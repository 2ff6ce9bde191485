/** Work within a transaction of which nothing stays when it fails, while the transaction goes on. */
import type { Tx } from './client.ts';
import { isTransientDatabaseError } from './transient-error.ts';

/** @throws the error of the work; of a transient one the transaction has ended, too */
export async function withSavepoint<Result>(
  tx: Pick<Tx, 'query'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await tx.query('SAVEPOINT attempted');
  try {
    return await work();
  } catch (error) {
    if (!isTransientDatabaseError(error)) await tx.query('ROLLBACK TO SAVEPOINT attempted');
    throw error;
  }
}
