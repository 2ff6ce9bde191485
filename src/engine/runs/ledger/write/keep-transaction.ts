/** Keeps the transaction of an advance while the nodes that it folds take turns with other long work (nodes/turn.ts). */
import type { Clock, Timer } from '../../../../base/clock.ts';
import type { DeferredTx, Tx } from '../../../../base/db/client.ts';

/** PostgreSQL ends a transaction that is silent for 10 s (db/client.ts); a turn of one node takes less than a second. */
const SILENT_MS = 3_000;

/** Sends a statement every few seconds, until the returned function is called. */
export function keepTransaction(tx: Tx | DeferredTx, clock: Clock): () => void {
  const send = (): Promise<unknown> =>
    'queryWithoutBegin' in tx ? tx.queryWithoutBegin('SELECT 1') : tx.query('SELECT 1');
  let timer: Timer;
  const wait = (): void => {
    timer = clock.setTimeout(() => {
      // The next statement of the advance reports a lost connection.
      send().catch(() => undefined);
      wait();
    }, SILENT_MS);
  };
  wait();
  return () => clock.clearTimeout(timer);
}
